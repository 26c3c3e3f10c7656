import { createHash } from 'node:crypto'

import type { Inbound } from '../../chat/bot.ts'
import type { Declaration } from '../../chat/declaration.ts'
import { pastedFile } from '../../chat/sent-file.ts'
import type { PendingFiles } from '../../command/context.ts'
import { remember } from '../../lib/data/remember.ts'
import type { Clock } from '../../runtime/clock.ts'

/** Somebody reads the question about a file, and answers it. Afterwards they send it again. */
const PENDING_MS = 30 * 60_000
/** One a person, each of half a megabyte at most. */
const MAX_PENDING = 20
const NAME_LENGTH = 8

/** Keeps the last file of each person until they have said whether it is meant. A restart forgets them. */
export function createPendingFiles(clock: Clock): (personId: number) => PendingFiles {
  const files = new Map<number, { name: string; text: string; until: number }>()
  return (personId) => ({
    keep(text) {
      const name = createHash('sha256').update(text).digest('hex').slice(0, NAME_LENGTH)
      remember(files, personId, { name, text, until: clock.monotonic() + PENDING_MS }, MAX_PENDING)
      return name
    },
    find(name) {
      const file = files.get(personId)
      if (file && file.until > clock.monotonic()) return file.name === name ? file.text : null
      files.delete(personId)
      return null
    },
  })
}

/** The start of an export: of one as a file, or of the pages that /export shows. */
const PASTED = /^(?:\/(\S+)\s+)?(\{\s*"perch"[\s\S]*|\[\s*"\/[\s\S]*)$/i

/**
 * Returns the line that a message means, and its file. A file without words, and an export that was pasted, are for the
 * command that takes files: their text is no line of words.
 */
export function withFile(
  from: Inbound,
  text: string,
  commands: readonly Pick<Declaration, 'name' | 'file'>[],
): { from: Inbound; line: string } {
  const taking = commands.find(({ file }) => file !== undefined)
  if (!taking || from.overheard) return { from, line: text }
  if (from.file) return { from, line: text.trim() === '' ? `/${taking.name}` : text }
  const [, command, pasted] = PASTED.exec(text.trim()) ?? []
  const isMeant = command === undefined ? from.private : command.toLowerCase() === taking.name
  return pasted === undefined || !isMeant
    ? { from, line: text }
    : { from: { ...from, file: pastedFile(pasted) }, line: `/${taking.name}` }
}
