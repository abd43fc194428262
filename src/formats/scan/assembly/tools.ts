import { ByteIndex } from './byte-index';
import { codeForTool } from './outside';

const tools = new ByteIndex();
/** The table's code of every tool met. */
let room: i32 = 64;
let codes: usize = heap.alloc(64 * 4);

/** The table's code of the tool in [from, to), asked of JavaScript once. */
export function codeOfTool(from: usize, to: usize): f64 {
  const index = tools.codeOf(from, to);
  if (tools.isNew) {
    if (index === room) widen();
    store<i32>(codes + ((<usize>index) << 2), codeForTool(from, to));
  }
  return <f64>load<i32>(codes + ((<usize>index) << 2));
}

function widen(): void {
  const wider = heap.alloc(<usize>room * 8);
  memory.copy(wider, codes, <usize>room * 4);
  codes = wider;
  room *= 2;
}
