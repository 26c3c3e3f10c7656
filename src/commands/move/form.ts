import { z } from 'zod'

import { PRESETS } from '../../alert/preset.ts'
import { NUMBER_STYLES } from '../../lib/text/format.ts'
import { jsonOrNull } from '../../lib/text/json.ts'
import { THEMES } from '../../message/picture.ts'
import { PICTURE_CHOICES } from '../../people/person.ts'
import { REPEATED_AFTER_MIN } from '../../people/escalation.ts'
import { parseWallet, type Wallet } from '../../venue/wallet.ts'
import { LANGUAGES } from '../../words/words.ts'

/** A newer Perch writes another one, and this one then refuses its files. */
export const VERSION = 1

/** To check an address takes its time. */
export const MOST_WALLETS = 2_000
const MINUTES_A_DAY = 1_440
const DAY_MS = 86_400_000
/** Longer texts are in no export. */
const NAME = 80
/** A bigint as JSON has none. 60 digits are more than any amount of 18 decimals needs. */
const EXACT = /^-?\d{1,60}$/
const exact = z.strictObject({ $bigint: z.string().regex(EXACT) })
const plain = z.union([z.number(), z.string().max(NAME), z.boolean(), z.null(), exact])
const shallow = z.record(z.string().max(NAME), plain)
const param = z.union([plain, shallow, z.array(z.union([plain, shallow])).max(100)])

const wallet = z
  .string()
  .max(NAME)
  .transform((text, context): Wallet => {
    const parsed = parseWallet(text)
    if (parsed.ok) return parsed.wallet
    context.addIssue({ code: 'custom', message: parsed.why })
    return z.NEVER
  })
/** By their names: ids differ between venues, and between programs. */
const market = z.strictObject({ venue: z.string().max(NAME), symbol: z.string().min(1).max(NAME) })
const minute = z
  .int()
  .min(0)
  .max(MINUTES_A_DAY - 1)
const name = z.string().min(1).max(NAME)

const muted = z.union([
  z.strictObject({ is: z.literal('all') }),
  z.strictObject({ is: z.literal('wallet'), wallet }),
  z.strictObject({ is: z.literal('market'), market }),
  z.strictObject({ is: z.literal('kind'), kind: name }),
])

const chat = z.strictObject({
  /** Null for the private chat. */
  place: z
    .strictObject({
      platform: name,
      chat: name,
      thread: name.nullable(),
      title: z.string().max(300).nullable(),
    })
    .nullable(),
  quiet: z
    .strictObject({ from: minute, to: minute })
    .refine(({ from, to }) => from !== to)
    .nullable(),
  digest: minute.nullable(),
  weekly: z.strictObject({ weekday: z.int().min(0).max(6), minute }).nullable(),
  mutes: z.array(z.strictObject({ of: muted, until: z.iso.datetime() })).max(1_000),
})

const alert = z.strictObject({
  kind: name,
  params: z.record(name, param),
  wallet: wallet.nullable(),
  market: market.nullable(),
  /** `/watch` or a preset has armed it. */
  armed: z.boolean(),
  holdMs: z
    .int()
    .min(0)
    .max(30 * DAY_MS),
  /** The place of its chat in `chats`. */
  chat: z.int().min(0),
})

const exported = z
  .strictObject({
    perch: z.literal('export'),
    version: z.literal(VERSION),
    made: z.iso.datetime(),
    settings: z.strictObject({
      zone: name,
      numbers: z.enum(NUMBER_STYLES),
      language: z.enum(LANGUAGES).nullable(),
      detail: z.enum(['short', 'full']),
      pictures: z.enum(PICTURE_CHOICES),
      theme: z.enum(THEMES),
      escalateFrom: z
        .int()
        .min(0)
        .max(REPEATED_AFTER_MIN.length - 1),
    }),
    preset: z.strictObject({
      name: z.enum(PRESETS),
      except: z.array(z.strictObject({ kind: name, preset: z.enum(PRESETS) })).max(100),
    }),
    chats: z.array(chat).min(1).max(1_000),
    wallets: z
      .array(z.strictObject({ wallet, label: z.string().max(300), as: z.enum(['own', 'followed']) }))
      .max(MOST_WALLETS),
    alerts: z.array(alert),
  })
  .refine(({ chats }) => chats[0]?.place === null && chats.slice(1).every(({ place }) => place !== null), {
    path: ['chats'],
  })
  .refine(({ alerts, chats }) => alerts.every((one) => one.chat < chats.length), { path: ['alerts'] })

/** All of a person that another Perch can take over. */
export type Exported = z.infer<typeof exported>
export type ExportedAlert = Exported['alerts'][number]
export type ExportedMarket = z.infer<typeof market>
export type ExportedMute = Exported['chats'][number]['mutes'][number]

export type Read =
  | { is: 'export'; exported: Exported }
  /** The pages of `/export`: lines to say one after the other. */
  | { is: 'lines' }
  | { is: 'newer' }
  /** It began as an export, and breaks off: a message that a platform has cut, or half of a paste. */
  | { is: 'cut' }
  /** `where` names the first wrong field, in our own words alone. */
  | { is: 'damaged'; where: string }
  | { is: 'none' }

/** Reads the text of a file. Nothing of it is trusted, and nothing that it has beyond the form is taken. */
export function readExport(text: string): Read {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  const value = jsonOrNull(trimmed)
  if (value === null) return { is: /^\{\s*"perch"/.test(trimmed) ? 'cut' : 'none' }
  if (Array.isArray(value)) return { is: value.length > 0 && value.every(isLine) ? 'lines' : 'none' }
  if (typeof value !== 'object' || !('perch' in value) || value.perch !== 'export') return { is: 'none' }
  if ('version' in value && typeof value.version === 'number' && value.version > VERSION)
    return { is: 'newer' }
  const parsed = exported.safeParse(value)
  if (parsed.success) return { is: 'export', exported: parsed.data }
  return { is: 'damaged', where: whereOf(parsed.error.issues[0]?.path ?? []) }
}

function isLine(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('/')
}

/** `alerts 4 kind`. A name that only the file has could be anything, so no more than these parts are said. */
function whereOf([part = 'perch', place, field]: readonly PropertyKey[]): string {
  const known = (key: PropertyKey | undefined) => typeof key === 'string' && /^[a-z]{1,12}$/i.test(key)
  const at = typeof place === 'number' ? ` ${place + 1}` : known(place) ? ` ${String(place)}` : ''
  return `${String(part)}${at}${known(field) ? ` ${String(field)}` : ''}`
}

/** The parameters with exact integers, for a kind to parse. */
export function paramsOf(given: ExportedAlert['params']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, unwrapped(value)]))
}

function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped)
  if (typeof value !== 'object' || value === null) return value
  if ('$bigint' in value && typeof value.$bigint === 'string' && EXACT.test(value.$bigint))
    return BigInt(value.$bigint)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unwrapped(part)]))
}
