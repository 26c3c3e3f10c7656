import { setFlagsFromString } from 'node:v8'

/**
 * V8 lets the heap grow to several times its used size before it collects, and does not return the memory. A start or
 * one busy minute would enlarge the process for ever. From here on it collects sooner, at the price of some processor
 * time under load.
 */
export function keepHeapSmall(): void {
  // The young generation stays at its present size, about twice 8 MB; it would grow to eight times that. The old
  // generation may grow by half before it is collected. Sizes themselves can be set on the command line alone.
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}
