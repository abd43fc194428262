import { canonical } from '../../model/canonical.js';
import { isDeeperThan, MAX_DEPTH, parseJson } from '../../model/json.js';
import { type RunDraft, UNKNOWN } from '../../model/run-draft.js';
import { ByteIndex, HASH_START, hashWith, NOT_FOUND } from './byte-index.js';
import { behindFlag, behindNull, behindText, behindValue, type Found, NOT_PLAIN, QUOTE } from './json-bytes.js';
import { END, FIRST, MemberNames } from './member-names.js';
import { behindOther, markBeyondAscii } from './other-member.js';
import { textAt } from './parts.js';

const NAMES = new MemberNames(['tool', 'args_digest', 'result_digest', 'error', 'args', 'result']);
const [TOOL, ARGS_DIGEST, RESULT_DIGEST, ERROR, ARGS, RESULT] = [1, 2, 3, 4, 5, 6];
const OTHERS = 1 << NAMES.other;

/** Digests and contents never equal one another: their numbers are kept apart. */
const CONTENT_MARK = 1;

/** Reads the calls of one run after the other; contents become numbers that tell them apart within their run. */
export class CallScanner {
  private readonly digests = new ByteIndex();
  private readonly contents = new ByteIndex();
  private readonly tools = new ByteIndex();
  private readonly toolCodes: number[] = [];
  private tool = UNKNOWN;
  private content = UNKNOWN;

  /** @param codeForTool the code under which a tool is kept */
  constructor(
    private readonly found: Found,
    private readonly codeForTool: (tool: string) => number,
  ) {}

  beginRun(): void {
    this.digests.clear();
    this.contents.clear();
  }

  /** One call, an object, told to the draft. */
  behindCall(bytes: DataView, at: number, draft: RunDraft): number {
    let next = NAMES.follow(bytes, at, FIRST);
    let name = NAMES.name;
    let seen = 0;
    let error = UNKNOWN;
    let args = UNKNOWN;
    let result = UNKNOWN;
    this.tool = UNKNOWN;
    while (next !== NOT_PLAIN && name !== END) {
      // A name that stands twice: which of the two counts is for the slow reader.
      if ((seen & (1 << name) & ~OTHERS) !== 0) return NOT_PLAIN;
      seen |= 1 << name;
      if (name === TOOL) {
        next = this.behindTool(bytes, next);
      } else if (name === ARGS_DIGEST || name === ARGS) {
        next = name === ARGS ? this.behindContent(bytes, next) : this.behindDigest(bytes, next);
        args = this.content;
      } else if (name === RESULT_DIGEST || name === RESULT) {
        next = name === RESULT ? this.behindContent(bytes, next) : this.behindDigest(bytes, next);
        result = this.content;
      } else if (name === ERROR) {
        next = behindFlag(bytes, next, this.found);
        error = this.found.amount;
      } else {
        next = behindOther(bytes, next, this.found);
      }
      if (next === NOT_PLAIN) return NOT_PLAIN;
      next = NAMES.follow(bytes, next, name);
      name = NAMES.name;
    }
    // Of a content beside its digest only one counts.
    const isDoubled = (seen & BOTH_ARGS) === BOTH_ARGS || (seen & BOTH_RESULTS) === BOTH_RESULTS;
    if (next === NOT_PLAIN || this.tool === UNKNOWN || isDoubled) return NOT_PLAIN;
    draft.addCall(this.tool, args, result, error);
    return next;
  }

  private behindTool(bytes: DataView, at: number): number {
    const next = behindText(bytes, at, this.found);
    if (next === NOT_PLAIN || next === at + 2) return NOT_PLAIN;
    let known = this.tools.find(bytes, at + 1, next - 1, this.found.hash);
    if (known === NOT_FOUND) {
      known = this.tools.codeOf(bytes, at + 1, next - 1, this.found.hash);
      this.toolCodes[known] = this.codeForTool(textAt(bytes, at + 1, next - 1));
    }
    this.tool = this.toolCodes[known] as number;
    return next;
  }

  /** A text that is not empty, or `null`. */
  private behindDigest(bytes: DataView, at: number): number {
    this.content = UNKNOWN;
    if (bytes.getUint8(at) !== QUOTE) return behindNull(bytes, at);
    const next = behindText(bytes, at, this.found);
    if (next === NOT_PLAIN || next === at + 2) return NOT_PLAIN;
    this.content = this.digests.codeOf(bytes, at + 1, next - 1, this.found.hash) * 2;
    return next;
  }

  /** Any JSON, or `null`: known by its normal form, which a text mostly is itself. */
  private behindContent(bytes: DataView, at: number): number {
    this.content = UNKNOWN;
    const isText = bytes.getUint8(at) === QUOTE;
    const plain = isText ? behindText(bytes, at, this.found) : behindNull(bytes, at);
    if (plain !== NOT_PLAIN && (!isText || isNormal(bytes, at, plain))) {
      if (isText) this.content = this.contentCode(bytes, at, plain);
      return plain;
    }
    const next = behindValue(bytes, at);
    const normal = next === NOT_PLAIN ? null : normalForm(textAt(bytes, at, next));
    if (normal === null) return NOT_PLAIN;
    markBeyondAscii(bytes, at, next, this.found);
    const form = new TextEncoder().encode(normal);
    this.content = this.contentCode(new DataView(form.buffer, form.byteOffset, form.byteLength), 0, form.length);
    return next;
  }

  private contentCode(bytes: DataView, from: number, to: number): number {
    let hash = HASH_START;
    for (let at = from; at < to; at++) hash = hashWith(hash, bytes.getUint8(at));
    return this.contents.codeOf(bytes, from, to, hash) * 2 + CONTENT_MARK;
  }
}

/** Whether a quoted text holds no JSON that would have to be normalized. One that begins with a capital cannot. */
function isNormal(bytes: DataView, at: number, next: number): boolean {
  const first = bytes.getUint8(at + 1);
  if (first >= 0x41 && first <= 0x5a) return true;
  return canonical(textAt(bytes, at + 1, next - 1)) === textAt(bytes, at, next);
}

function normalForm(text: string): string | null {
  try {
    const content = parseJson(text);
    return isDeeperThan(content, MAX_DEPTH) ? null : canonical(content);
  } catch {
    return null;
  }
}

const BOTH_ARGS = (1 << 2) | (1 << 5);
const BOTH_RESULTS = (1 << 3) | (1 << 6);
