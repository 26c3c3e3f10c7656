import { setFlagsFromString } from 'node:v8'

/**
 * V8 lets the heap grow to several times what is used before it clears away the rest, and gives none of it back: what a
 * start, or one busy minute, leaves behind would stay resident for ever. It clears away sooner from here on, at the price of
 * some processor time where very much is read at once.
 */
export function keepHeapSmall(): void {
  // New objects have a megabyte, not sixteen in three places; what outlives them may grow by half before it is looked through.
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}
