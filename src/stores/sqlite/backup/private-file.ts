import { closeSync, constants, existsSync, fchownSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const ROOT = 0

/** Creates an empty file that only its owner may read; throws EEXIST if it exists. */
export function createPrivateFile(path: string): void {
  const handle = openSync(path, 'wx', 0o600)
  try {
    leave(handle, path)
  } finally {
    closeSync(handle)
  }
}

/** Creates a folder that only its owner may read, and the folders above it; does nothing if it exists. */
export function createPrivateFolder(path: string): void {
  if (existsSync(path)) return
  createPrivateFolder(dirname(path))
  if (mkdirSync(path, { recursive: true, mode: 0o700 }) === undefined) return
  // The owner of the folder above may have replaced it meanwhile.
  const handle = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    leave(handle, path)
  } finally {
    closeSync(handle)
  }
}

/**
 * Gives a new file or folder to the owner of the folder above. An operator may back up and restore as root beside a bot with
 * fewer rights, and the bot must be able to read the result.
 */
function leave(handle: number, path: string): void {
  if (process.getuid?.() !== ROOT) return
  const { uid, gid } = statSync(dirname(path))
  if (uid === ROOT) return
  try {
    fchownSync(handle, uid, gid)
  } catch (error) {
    // Root in a container may not change owners: there the bot is root as well.
    if (!hasErrorCode('EPERM', error)) throw error
  }
}

export function hasErrorCode(code: string, error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
