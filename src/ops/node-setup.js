import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
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

const OWN_ONLY = 0o700
const OTHERS_WRITE = 0o022

/**
 * Returns the folder if this user alone can write there; null to do without it. Node runs the code that it finds there, so
 * no other user of the machine may leave any, whichever umask is set.
 */
export function privateFolder(folder: string): string | null {
  try {
    if (process.platform === 'win32') return folder
    const found = lstatSync(folder, { throwIfNoEntry: false })
    const isForeign = found !== undefined && found.uid !== process.getuid?.()
    if (isForeign || found?.isSymbolicLink()) return null
    // Somebody may have left something there already.
    if (found && (found.mode & OTHERS_WRITE) !== 0) rmSync(folder, { recursive: true })
    mkdirSync(folder, { recursive: true, mode: OWN_ONLY })
    chmodSync(folder, OWN_ONLY)
    return folder
  } catch {
    return null
  }
}
