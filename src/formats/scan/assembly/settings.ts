import { ByteIndex } from './byte-index';
import { knowSetting } from './outside';

/*
 * Everything that many runs share, such as status and labels, understood by JavaScript once and then known by a number.
 */

/** Beyond this they are not shared by many, and would only be held. */
const MOST_SHARED = 4096;
const settings = new ByteIndex();
const meanings: usize = heap.alloc(MOST_SHARED * 4);

/**
 * The number that JavaScript gave to what the bytes in [from, to) say of a run; below 0: it makes no sense.
 *
 * @param isOwn whether they say something that no other run shares
 */
export function settingOf(from: usize, to: usize, isOwn: bool): i32 {
  const code = isOwn ? -1 : settings.codeOf(from, to, MOST_SHARED);
  if (code < 0) return knowSetting(false);
  const meaning = meanings + ((<usize>code) << 2);
  if (settings.isNew) store<i32>(meaning, knowSetting(true));
  return load<i32>(meaning);
}
