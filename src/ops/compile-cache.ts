import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'

const OWN_ONLY = 0o700
const OTHERS_WRITE = 0o022

/**
 * Returns the folder if this user alone can write there; null to do without it. Node runs what it finds in it, so another
 * user of the machine must not be able to leave code there, whatever the umask is.
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
