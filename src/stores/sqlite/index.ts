import { errorText } from '../../lib/text/error-text.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import type { OpenStore, Store } from '../../store/store.ts'
import { refuseForeignFile } from './backup/foreign-file.ts'
import { fileOf } from './backup/place.ts'
import { inWords, openDatabase, type OpenedDatabase } from './file/database.ts'
import { recreateLostFile, type Trouble } from './file/file-watch.ts'
import { openSession, type Session } from './session.ts'

/** Opens the file that DATABASE_URL names. */
export default (async ({ url, venues, clock }) =>
  openSqlite(fileOf(url), venues, openDatabase, clock)) satisfies OpenStore

/**
 * Opens a store in a SQLite file. Throws a sentence for the operator if the file belongs to other venues. `identity` is
 * that of the only venue, or those of several, the first one first. `open` is for tests, which break things.
 */
export function openSqlite(
  file: string,
  identity: string | readonly string[],
  open: (file: string) => OpenedDatabase = openDatabase,
  clock: Clock = systemClock(),
): Store {
  const venues = typeof identity === 'string' ? [identity] : identity
  const begin = (): { opened: OpenedDatabase; session: Session } => {
    refuseForeignFile(file, venues)
    const opened = open(file)
    try {
      return { opened, session: openSession(opened, file, venues, clock) }
    } catch (error) {
      opened.close()
      throw inWords(file, error)
    }
  }
  let { opened, session } = begin()
  let unmended: Trouble | null = null

  /** A file that was deleted or replaced is still open: writes it again under its name, and says so. */
  function check(): string | null {
    const trouble = unmended ?? opened.trouble()
    if (trouble === null || trouble.lost === null) return trouble?.why ?? null
    try {
      recreateLostFile(opened, file, trouble.lost)
      unmended = trouble
      ;({ opened, session } = begin())
      unmended = null
      return `${trouble.why}: I am writing it anew`
    } catch (error) {
      const why = errorText(error)
      return `${trouble.why}, and I cannot write it anew: ${why}`
    }
  }

  return {
    memory: portOf(() => session.memory),
    outbox: portOf(() => session.outbox),
    history: portOf(() => session.history),
    recording: portOf(() => session.recording),
    admin: {
      ...portOf(() => session.admin),
      check: async () => check(),
      close: async () => opened.close(),
    },
  }
}

type Calls = Record<string, (...values: unknown[]) => unknown>

/** A port that hands each call to the session that is open then: callers keep it when the file is opened anew. */
function portOf<Port extends object>(present: () => Port): Port {
  const names = Object.keys(present())
  const call =
    (name: string) =>
    (...values: unknown[]) =>
      (present() as Calls)[name]?.(...values)
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Port
}
