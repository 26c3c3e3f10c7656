import { createHmac, timingSafeEqual } from 'node:crypto'

import { z } from 'zod'

import { jsonOrNull } from '../../../src/lib/text/json.ts'

/** Older data may have been copied from somewhere. */
const OLDEST_S = 60 * 60
/** Telegram's clock and ours differ by less. */
const AHEAD_S = 60
const LONGEST = 4_096

const USER = z.object({
  id: z
    .number()
    .int()
    .positive()
    .max(2 ** 52),
  is_bot: z.literal(false).optional(),
  first_name: z.string().optional().catch(undefined),
})

/** The finding of a check. `shared`: it was opened where others may look on. */
export type InitData =
  | { is: 'user'; user: string; name: string | null }
  | { is: 'shared' }
  | { is: 'refused' }

/**
 * Checks the launch data of a Mini App
 * (https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app). Pure.
 * `now`: wall time in milliseconds.
 */
export function readInitData(initData: string, botToken: string, now: number): InitData {
  const fields = fieldsOf(initData)
  if (fields === null) return { is: 'refused' }
  const { hash = '', ...signed } = fields
  if (!isSignedBy(botToken, signed, hash)) return { is: 'refused' }
  const at = /^\d{1,12}$/.test(signed['auth_date'] ?? '') ? Number(signed['auth_date']) : null
  const nowS = Math.floor(now / 1_000)
  if (at === null || at > nowS + AHEAD_S || at < nowS - OLDEST_S) return { is: 'refused' }
  const user = USER.safeParse(jsonOrNull(signed['user'] ?? ''))
  if (!user.success) return { is: 'refused' }
  // A link that is opened in a private chat names one of these, and a button of our own chat names none.
  const place = signed['chat_type']
  const isPrivate = place === undefined || place === 'sender' || place === 'private'
  return isPrivate && signed['chat'] === undefined
    ? { is: 'user', user: String(user.data.id), name: user.data.first_name ?? null }
    : { is: 'shared' }
}

/** Each field once; null for a text that is no such list. */
function fieldsOf(initData: string): Record<string, string> | null {
  if (initData.length > LONGEST) return null
  const fields: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(initData)) {
    if (!/^[a-z_]{1,40}$/.test(name) || name === '__proto__' || Object.hasOwn(fields, name)) return null
    fields[name] = value
  }
  return fields
}

/** Telegram signs every field but the hash, sorted by name, each on a line of its own. */
function isSignedBy(botToken: string, signed: Readonly<Record<string, string>>, hash: string): boolean {
  if (!/^[\da-f]{64}$/.test(hash)) return false
  const lines = Object.keys(signed)
    .toSorted()
    .map((name) => `${name}=${signed[name]}`)
  const key = createHmac('sha256', 'WebAppData').update(botToken).digest()
  const ours = createHmac('sha256', key).update(lines.join('\n')).digest()
  return timingSafeEqual(ours, Buffer.from(hash, 'hex'))
}
