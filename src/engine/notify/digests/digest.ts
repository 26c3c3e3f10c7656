import type { Severity } from '../../../alert/alert.ts'
import type { Chat } from '../../../people/chat.ts'
import { hoursText, nextTime } from '../../../lib/time/daytime.ts'
import { age, signedUsd, usd } from '../../../message/figure.ts'
import { bounded } from '../../../message/fit.ts'
import { type Item, item, joined, type Text, text, words } from '../../../message/message.ts'
import type { Digest, DigestTold, Gap, DailySummary, MoneyOf, MoneyRead } from '../../../people/digest.ts'
import { escalationTroubles, digestKeeper } from '../../../people/escalation.ts'
import { mutedText } from '../../../people/mute.ts'
import type { HistoryStore } from '../../../store/store.ts'
import { fromLiquidation } from '../../../venue/position.ts'
import { isStill } from '../../../venue/record/money-words.ts'
import { moneyDoubts, moneyItems } from './money-lines.ts'
import { sourceOf } from '../../../venue/source.ts'
import { venueNameOf } from '../../../venue/venue-name.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import type { Memory } from '../../memory/memory.ts'
import { fallbackOf, privateChats } from '../../memory/people.ts'
import { symbolOf } from '../../memory/markets.ts'
import { walletLabel } from '../../memory/rules.ts'
import type { EvaluationContext } from '../../monitors/context.ts'
import { type Decision, silent } from '../../monitors/decision.ts'
import type { Outcome } from '../../monitors/turn.ts'
import { walletsIn } from '../../outage/last-known.ts'
import { accountWords, sourceWords } from '../../outage/wording.ts'
import { escalationOf } from '../escalation.ts'
import {
  type Holding,
  holdings,
  movedSince,
  failedParts,
  unaskedParts,
  venuesWithoutPrices,
} from '../holdings.ts'

/** From this on a digest says that it is late. */
export const LATE_MS = 5 * 60_000
/** Positions and blindnesses named: more would not fit an item. */
const POSITIONS = 6
const NAMED = 4

interface Before {
  before: Digest['told']
  dailySummary: DailySummary
  read: MoneyRead
}

/** A digest's items, what matters most first; one line when there is nothing to tell. */
function digestItems(look: EvaluationContext, scope: Scope, held: readonly Holding[], told: Before): Item[] {
  const { memory } = look
  const late = lateLines(look, scope)
  const escalation = escalationLines(memory, scope)
  const blind = blindLines(look, scope, told.dailySummary.gaps)
  const rest = restLines(memory, scope, look.now)
  const unseen = unreadLines(look, scope, held)
  const fired = Object.values(told.dailySummary.fired).some((many) => many > 0)
  const { read } = told
  const isQuiet = read.is !== 'read' || (isStill(read.money.sums) && moneyDoubts(read.money).length === 0)
  if (held.length === 0 && !fired && isQuiet && [...blind, ...rest, ...unseen].length === 0) {
    const what = scope.wallets.length === 0 ? 'wallet' : 'position'
    const unread = scope.wallets.length > 0 && told.read.is === 'unread' ? moneyItems(told.read) : []
    return [item('plain', words('digest.nothing.title', { what }), [...late, ...escalation]), ...unread]
  }
  const since = { time: scope.since, as: 'clock' } as const
  return [
    item('plain', headText(held), [
      ...late,
      ...sumLines(held, told.before, memory.run),
      ...unseen,
      ...(escalation.length > 1 ? [] : escalation),
    ]),
    ...(scope.wallets.length > 0 ? moneyItems(told.read) : []),
    ...(held.length > 1 ? [item('plain', words('digest.nearest.title'), positionLines(held))] : []),
    item(
      'plain',
      words('digest.since.title', { since, fired: firedText(told.dailySummary) }),
      worstLines(told.dailySummary),
    ),
    ...(blind.length > 0 ? [item('plain', words('digest.unseen.title'), blind)] : []),
    ...(rest.length > 0 ? [item('plain', words('quiet.here'), rest)] : []),
    // More than one would be cut off where the figures are.
    ...(escalation.length > 1 ? [item('plain', words('trouble.title'), escalation)] : []),
  ]
}

/** A lock screen shows only this: the worst position. */
function headText(held: readonly Holding[]): Text {
  const [worst] = held
  return worst
    ? words('digest.worst.title', { worst: positionText(worst) })
    : words('digest.no-position.title')
}

function lateLines({ now }: EvaluationContext, { dueAt }: Scope): Text[] {
  return now - dueAt < LATE_MS ? [] : [words('digest.late', { at: { time: dueAt, as: 'clock' } })]
}

function escalationLines(drawers: Pick<Memory, 'people' | 'run'>, { chat }: Scope): Text[] {
  if (!chat.private) return []
  return escalationTroubles(escalationOf(drawers, chat.personId)).map((one) => text`⚠ ${one}`)
}

/** PnL and funding of the open positions: the results of positions closed meanwhile are not known. */
function sumLines(
  held: readonly Holding[],
  before: Digest['told'],
  { firstVenue, venues }: Pick<Memory['run'], 'firstVenue' | 'venues'>,
): Text[] {
  if (held.length === 0) return []
  const priced = held.filter(({ counted }) => counted !== null)
  const missing = held.length - priced.length
  const n = held.length
  if (priced.length === 0) return [words('digest.sum.unknown', { n })]
  const pnl = signedUsd(priced.reduce((sum, { counted }) => sum + (counted?.pnlUsd ?? 0), 0))
  const funding = priced.reduce((sum, { fundingUsdPerDay }) => sum + (fundingUsdPerDay ?? 0), 0)
  return [
    missing === 0
      ? words('digest.sum', { n, pnl })
      : words('digest.sum.without', { n, pnl, missing: String(missing) }),
    ...(firstVenue === null ? [] : venueSums(priced, [firstVenue, ...venues])),
    ...(before ? [changeText(held, before)] : []),
    funding === 0
      ? words('digest.funding.none')
      : words('digest.funding', { way: funding < 0 ? 'paid' : 'received', usd: usd(Math.abs(funding)) }),
  ]
}

/** `hyperliquid +$120, lighter -$80.00`, if positions are held at more than one venue. */
function venueSums(priced: readonly Holding[], venues: readonly string[]): Text[] {
  const groups = Map.groupBy(priced, ({ position }) => venueNameOf(position.marketId, venues))
  if (groups.size < 2) return []
  const sums = venues.flatMap((venue): Text[] => {
    const all = groups.get(venue)
    if (!all) return []
    const pnl = all.reduce((sum, { counted }) => sum + (counted?.pnlUsd ?? 0), 0)
    return [text`${venue} ${signedUsd(pnl)}`]
  })
  return [joined(sums, ', ')]
}

/** The change of the PnL since the last digest, as far as the same positions are open. */
function changeText(held: readonly Holding[], before: NonNullable<Digest['told']>): Text {
  const moved = movedSince(held, before.open)
  if (!moved) return words('digest.change.unknown')
  const change = { usd: signedUsd(moved.usd), since: { time: before.at, as: 'clock' } } as const
  return moved.of === held.length
    ? words('digest.change', change)
    : words('digest.change.partly', { ...change, of: String(moved.of), all: String(held.length) })
}

function positionLines(held: readonly Holding[]): Text[] {
  const more = held.length - POSITIONS
  return [
    ...held.slice(0, POSITIONS).map(positionText),
    ...(more > 0 ? [words('digest.more.positions', { n: String(more) })] : []),
  ]
}

function positionText({ name, away, liquidates }: Holding): Text {
  if (away !== null) return text`${name}: ${fromLiquidation(away)}`
  return liquidates ? words('digest.distance-unknown', { name }) : words('digest.no-liquidation', { name })
}

export function firedText({ fired }: DailySummary): Text {
  const named = (['critical', 'warning', 'info'] as const satisfies readonly Severity[])
    .filter((severity) => fired[severity] > 0)
    .map((severity) => words(`digest.fired.${severity}`, { n: fired[severity] }))
  return named.length === 0 ? words('digest.fired.none') : joined(named, ', ')
}

function worstLines({ worst, fired }: DailySummary): Text[] {
  const more = Object.values(fired).reduce((sum, many) => sum + many, 0) - worst.length
  return [
    ...worst.map(({ title, closedAt }) => (closedAt === null ? words('digest.still-on', { title }) : title)),
    ...(more > 0 ? [words('digest.more.alerts', { n: String(more) })] : []),
  ]
}

/** One line for each source that failed since then or fails now. */
function blindLines(
  { memory, now }: EvaluationContext,
  { chatIds, chat, since }: Scope,
  gaps: readonly Gap[],
): Text[] {
  const present = chatIds.flatMap((chatId) =>
    [...memory.sources.outageNoticesByChat.of(chatId).values()].map((row): Gap => ({ ...row, until: now })),
  )
  const bySource = Map.groupBy([...gaps, ...present], ({ source }) => source)
  const lines = [...bySource].map(([source, all]): Text => {
    const distinct = [...new Map(all.map((gap) => [`${gap.since}`, gap])).values()]
    const ms = distinct.reduce((sum, gap) => sum + Math.max(gap.until - Math.max(gap.since, since), 0), 0)
    const what = source === null ? words('digest.gap.off') : sourceWords(memory, [sourceOf(source)], chat.id)
    const gap =
      distinct.length > 1
        ? words('digest.gaps', { what, age: age(ms), n: String(distinct.length) })
        : words('digest.gap', { what, age: age(ms) })
    return source !== null && memory.sources.blind.has(source) ? words('digest.gap.still', { gap }) : gap
  })
  const more = lines.length - NAMED
  return [...lines.slice(0, NAMED), ...(more > 0 ? [words('digest.more.gaps', { n: String(more) })] : [])]
}

function unreadLines(look: EvaluationContext, { wallets, chat }: Scope, held: readonly Holding[]): Text[] {
  const all = failedParts(look.memory, wallets).slice(0, NAMED)
  const unasked = unaskedParts(look.memory, wallets, look.now).slice(0, NAMED)
  return [
    ...(wallets.length > 0 ? priceLines(look, held) : []),
    ...all.map(({ wallet, venue, accountId, at }): Text => {
      const label = walletLabel(look.memory, chat.personId, wallet)
      const whole = venue === undefined ? label : words('venue.at', { what: label, venue })
      const part = accountId === null ? null : accountWords(look.memory, accountId)
      const shown = part === null ? whole : words('digest.part', { label, part })
      return at === null
        ? words('digest.unread', { label: shown })
        : words('digest.last-read', { label: shown, at: { time: at, as: 'clock' } })
    }),
    ...unasked.map(({ wallet, parts, at }): Text => {
      const label = walletLabel(look.memory, chat.personId, wallet)
      const more = parts.length - NAMED
      const named = parts.slice(0, NAMED).join(', ')
      const part = more > 0 ? words('digest.parts', { parts: named, n: String(more) }) : named
      return words('digest.empty', {
        label: words('digest.part', { label, part }),
        at: { time: at, as: 'clock' },
      })
    }),
  ]
}

function priceLines(look: EvaluationContext, held: readonly Holding[]): Text[] {
  const { firstVenue, venues } = look.memory.run
  const without = venuesWithoutPrices(look, held)
  if (without.length === 0) return []
  if (firstVenue === null || without.length > venues.length) return [words('digest.no-prices')]
  return without.map((venue) => words('digest.no-prices.at', { venue: venue ?? firstVenue }))
}

function restLines(
  drawers: Pick<Memory, 'rules' | 'silences' | 'markets'>,
  { chatIds, chat, zone }: Scope,
  now: number,
): Text[] {
  const mutes = [...drawers.silences.mutesIn.of(chat.id).values()].filter(({ until }) => until > now)
  const held = chatIds.reduce((sum, id) => sum + drawers.silences.suppressedIn.of(id).size, 0)
  const { quiet } = chat
  return [
    ...(quiet ? [words('quiet.every-day', { hours: hoursText(quiet), zone })] : []),
    ...mutes.slice(0, NAMED).map(({ of, until }) => {
      const what = mutedText(of, {
        wallet: (wallet) => walletLabel(drawers, chat.personId, wallet),
        market: (id) => symbolOf(drawers, id),
      })
      return words('quiet.muted', { what, until: { time: until, as: 'clock' } })
    }),
    ...(held > 0 ? [words('digest.waiting', { n: held })] : []),
  ]
}

const DAY_MS = 24 * 3_600_000

/** The chats, wallets and times that one digest covers. */
interface Scope {
  /** Where it is told. */
  chat: Chat
  /** Where its alerts are told. */
  chatIds: number[]
  wallets: Wallet[]
  zone: string
  since: number
  dueAt: number
}

/** When a chat's next digest is due (wall time): a function of when the last one was told. Null: never. */
export function digestAt(drawers: Pick<Memory, 'people'>, chatId: number): number | null {
  const chat = drawers.people.chats.get(chatId)
  if (!chat?.digest) return null
  if (chat.private && digestKeeper(privateChats(drawers, chat.personId))?.id !== chatId) return null
  return nextTime(chat.digest.minute, chat.digest.after, zoneOf(drawers, chat))
}

/** Null when no digest is due now. */
function scopeOf({ memory, now }: EvaluationContext, keeperId: number): Scope | null {
  const dueAt = digestAt(memory, keeperId)
  const keeper = memory.people.chats.get(keeperId)
  if (!keeper || dueAt === null || dueAt > now) return null
  const own = keeper.private ? privateChats(memory, keeper.personId) : [keeper]
  const preferred = memory.people.persons.get(keeper.personId)?.defaultChat
  const told = keeper.digest?.told?.at ?? keeper.digest?.after ?? now
  return {
    chat: own.find(({ id }) => id === preferred) ?? keeper,
    chatIds: own.map(({ id }) => id),
    wallets: digestWallets(memory, keeper.id),
    zone: zoneOf(memory, keeper),
    // One that could not be told is made up for; a day is the least.
    since: Math.min(told, now - DAY_MS),
    dueAt,
  }
}

/** The last time at which it was due: one that is told late is not told again at the same time of the same day. */
function lastDue({ dueAt, zone }: Scope, minute: number, now: number): number {
  let at = Math.max(dueAt, now - 2 * DAY_MS)
  for (let next = nextTime(minute, at, zone); next <= now; next = nextTime(minute, next, zone)) at = next
  return at
}

export function zoneOf({ people: { persons } }: Pick<Memory, 'people'>, { personId }: Chat): string {
  return persons.get(personId)?.zone ?? 'UTC'
}

/** A digest that is due, with what the store knows of the day; null when it is not due any more. */
export async function digestTurn(
  history: Pick<HistoryStore, 'dailySummary'>,
  moneyOf: MoneyOf,
  look: EvaluationContext,
  keeperId: number,
): Promise<Outcome | null> {
  const scope = scopeOf(look, keeperId)
  if (!scope) return null
  const dailySummary = await history.dailySummary(scope.chatIds, scope.since)
  const held = holdings(look, scope.wallets, scope.chat.personId)
  const read = moneyOf(keeperId, 'daily')
  const decision = digestOf(look, keeperId, { scope, held, dailySummary, read })
  return {
    observed: [],
    decisions: [decision],
    digest: toldOf(look, keeperId, { scope, held, dailySummary, read }),
  }
}

/** The wallets whose positions a chat's digest tells: those of its person, or those of a bound chat's rules. */
export function digestWallets(drawers: Pick<Memory, 'people' | 'rules'>, chatId: number): Wallet[] {
  const chat = drawers.people.chats.get(chatId)
  if (!chat) return []
  return chat.private
    ? [...drawers.rules.watchesOf.of(chat.personId).keys()]
    : [...walletsIn(drawers, chatId)]
}

/** The material of a digest and of its picture. */
interface Material {
  scope: Scope
  held: readonly Holding[]
  dailySummary: DailySummary
  read: MoneyRead
}

function toldOf({ memory, now }: EvaluationContext, digestOf: number, told: Material): DigestTold {
  const { scope, held, dailySummary } = told
  const near = held.find(({ away }) => away !== null)
  return {
    ...{ chatId: fallbackOf(memory, scope.chat.id), digestOf, since: scope.since, at: now, dailySummary },
    nearest: near ? { position: near.position, symbol: near.symbol, distance: near.away ?? 0 } : null,
  }
}

/** The summary, kept with the note that it was told: a crash neither loses nor repeats it. */
function digestOf(look: EvaluationContext, keeperId: number, told: Material): Decision {
  const { memory, now } = look
  const { scope, held, dailySummary, read } = told
  const keeper = memory.people.chats.get(keeperId) ?? scope.chat
  const open = Object.fromEntries(held.flatMap(({ key, counted }) => (counted ? [[key, counted]] : [])))
  const before = keeper.digest?.told ?? null
  const items = digestItems(look, scope, held, { before, dailySummary, read })
  const minute = keeper.digest?.minute ?? 0
  const moneyUntil = read.is === 'read' ? read.money.until : before?.moneyUntil
  const moneyTold = moneyUntil === undefined ? {} : { moneyUntil }
  const decision = silent(scope.chat.id, [
    {
      is: 'chat',
      chat: {
        ...keeper,
        digest: { minute, after: lastDue(scope, minute, now), told: { at: now, open, ...moneyTold } },
      },
    },
  ])
  const shared = { reason: 'digest', severity: 'info', quiet: true } as const
  decision.notices = items.map((one: Item, order) => ({
    ...shared,
    ...{ item: bounded(one), alertIds: [], order, about: `digest/${keeper.id}` },
  }))
  return decision
}
