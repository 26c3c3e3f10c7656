import { LARGEST_FILE, type SentFile, textOf } from '../../../src/chat/sent-file.ts'
import { type Clock, within } from '../../../src/runtime/clock.ts'
import type { Attached } from './inbound.ts'

const LIMIT_MS = 10_000

/** Where Discord keeps what people send (https://docs.discord.com/developers/reference#cdn-endpoints). */
const HOSTS: ReadonlySet<string> = new Set(['cdn.discordapp.com', 'media.discordapp.net'])

/** The text of an attachment, fetched once somebody may use it, and from Discord alone. */
export function attachedFile({ url, size }: Attached, world: { apiUrl: string; clock: Clock }): SentFile {
  const { apiUrl, clock } = world
  return {
    async read() {
      if (typeof size === 'number' && size > LARGEST_FILE) return { is: 'too large' }
      if (!isOfDiscord(url, apiUrl)) return { is: 'unreadable' }
      try {
        return await within(clock, LIMIT_MS, undefined, async (signal) =>
          textOf(await fetch(url, { redirect: 'error', signal })),
        )
      } catch {
        return { is: 'unreadable' }
      }
    },
  }
}

/** Another API, for tests, keeps files itself. */
function isOfDiscord(url: unknown, apiUrl: string): url is string {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, hostname, origin } = new URL(url)
  return (protocol === 'https:' && HOSTS.has(hostname)) || origin === new URL(apiUrl).origin
}
