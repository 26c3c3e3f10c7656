import { closeSync, constants, existsSync, fchownSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const ROOT = 0

/** Makes an empty file that nobody else may read; throws EEXIST where there is something. */
export function createPrivateFile(path: string): void {
  const handle = openSync(path, 'wx', 0o600)
  try {
    leave(handle, path)
  } finally {
    closeSync(handle)
  }
}

/** Makes a folder that nobody else may look into, unless it is there; and so each one that it lies in. */
export function createPrivateFolder(path: string): void {
  if (existsSync(path)) return
  createPrivateFolder(dirname(path))
  if (mkdirSync(path, { recursive: true, mode: 0o700 }) === undefined) return
  // Whoever owns the folder above may have put something else in its place.
  const handle = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    leave(handle, path)
  } finally {
    closeSync(handle)
  }
}

/**
 * An operator may back up and restore as root, beside a bot that runs as somebody with fewer rights: what is made in that one's
 * folder is theirs, or the bot could not read it.
 */
function leave(handle: number, path: string): void {
  if (process.getuid?.() !== ROOT) return
  const { uid, gid } = statSync(dirname(path))
  if (uid === ROOT) return
  try {
    fchownSync(handle, uid, gid)
  } catch (error) {
    // Root of a container may not: there the bot is the same root.
    if (!hasErrorCode('EPERM', error)) throw error
  }
}

export function hasErrorCode(code: string, error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
