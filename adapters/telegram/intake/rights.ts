import { remember } from '../../../src/lib/data/remember.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { type Api, isObject } from '../send/api.ts'

/** Who may configure a chat: its administrators, cached for a while. */
export interface Rights {
  /** `unknown` when Telegram does not say. */
  mayConfigure(chat: string, user: string): Promise<boolean | 'unknown'>
  /** Something changed there. */
  forget(chat: string): void
}

/** Short enough that a demoted administrator does no harm, long enough that a lively group costs two requests a minute. */
const REMEMBERED_MS = 30_000
/** If Telegram cannot be asked, administrators known for less than this count. */
const USABLE_MS = 10 * 60_000
const LIMIT_MS = 10_000
const MAX_REMEMBERED_CHATS = 1_000

interface Known {
  admins: Promise<ReadonlySet<string> | null>
  mono: number
}

export function createRights(api: Api, clock: Clock): Rights {
  const known = new Map<string, Known>()
  const last = new Map<string, { admins: ReadonlySet<string>; mono: number }>()

  const ask = async (chat: string): Promise<ReadonlySet<string> | null> => {
    const answer = await api.call('getChatAdministrators', { chat_id: chat }, LIMIT_MS)
    const before = last.get(chat)
    if (answer.is !== 'answered' || !answer.body.ok || !Array.isArray(answer.body.result)) {
      known.delete(chat)
      return before && clock.monotonic() - before.mono < USABLE_MS ? before.admins : null
    }
    const admins = new Set(answer.body.result.flatMap((member: unknown) => userOf(member)))
    remember(last, chat, { admins, mono: clock.monotonic() }, MAX_REMEMBERED_CHATS)
    return admins
  }
  return {
    async mayConfigure(chat, user) {
      let found = known.get(chat)
      if (!found || clock.monotonic() - found.mono >= REMEMBERED_MS) {
        found = { admins: ask(chat), mono: clock.monotonic() }
        remember(known, chat, found, MAX_REMEMBERED_CHATS)
      }
      return (await found.admins)?.has(user) ?? 'unknown'
    },
    forget(chat) {
      known.delete(chat)
      last.delete(chat)
    },
  }
}

function userOf(member: unknown): string[] {
  const user = isObject(member) ? member['user'] : null
  return isObject(user) && typeof user['id'] === 'number' ? [String(user['id'])] : []
}

/** https://core.telegram.org/bots/api#chatmember: whether a member with this status may post there. */
export function mayPost(member: unknown, kind: string): boolean {
  if (!isObject(member)) return false
  const { status } = member
  if (status === 'creator') return true
  if (status === 'administrator') return kind !== 'channel' || member['can_post_messages'] !== false
  if (kind === 'channel') return false
  return (
    status === 'member' ||
    (status === 'restricted' && member['is_member'] === true && member['can_send_messages'] === true)
  )
}

export function isAdmin(member: unknown): boolean {
  return isObject(member) && (member['status'] === 'creator' || member['status'] === 'administrator')
}
