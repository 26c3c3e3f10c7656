import type { Severity } from '../../alert/alert.ts'
import type { Chat } from '../../people/chat.ts'
import { nextTime, timeText } from '../../lib/time/daytime.ts'
import { age, signedUsd, usd } from '../../message/figure.ts'
import { bounded } from '../../message/fit.ts'
import { type Item, item, type Text, text } from '../../message/message.ts'
import type { Digest, Gap, DailySummary } from '../../people/digest.ts'
import { escalationTroubles, digestKeeper } from '../../people/escalation.ts'
import type { Muted } from '../../people/mute.ts'
import type { HistoryStore } from '../../store/store.ts'
import { fromLiquidation } from '../../venue/position.ts'
import { sourceOf } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { privateChats } from '../memory/people.ts'
import { symbolOf } from '../memory/markets.ts'
import { walletLabel } from '../memory/rules.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { type Decision, silent } from '../monitors/decision.ts'
import type { Outcome } from '../monitors/turn.ts'
import { walletsIn } from '../outage/last-known.ts'
import { accountWords, sourceWords } from '../outage/wording.ts'
import { escalationOf } from './escalation.ts'
import { type Holding, holdings, movedSince, pricesAreFresh, failedParts, unaskedParts } from './holdings.ts'

/** From this on a digest says that it is late. */
const LATE_MS = 5 * 60_000
/** Positions and blindnesses named: more would not fit an item. */
const POSITIONS = 6
const NAMED = 4

interface Before {
  before: Digest['told']
  dailySummary: DailySummary
}

/** A digest's items, what matters most first; one line when there is nothing to tell. */
function digestItems(look: EvaluationContext, scope: Scope, held: readonly Holding[], told: Before): Item[] {
  const { memory } = look
  const late = lateLines(look, scope)
  const escalation = escalationLines(memory, scope)
  const blind = blindLines(look, scope, told.dailySummary.gaps)
  const rest = restLines(memory, scope, look.now)
  const unseen = unreadLines(look, scope)
  const fired = Object.values(told.dailySummary.fired).some((many) => many > 0)
  if (held.length === 0 && !fired && [...blind, ...rest, ...unseen].length === 0) {
    const what = scope.wallets.length === 0 ? 'no wallet is watched here' : 'no open position'
    return [item('plain', `Daily digest: ${what}, nothing fired, nothing unseen`, [...late, ...escalation])]
  }
  const since: Text = ['Since ', { time: scope.since, as: 'clock' }]
  return [
    item('plain', headText(held), [
      ...late,
      ...sumLines(held, told.before),
      ...unseen,
      ...(escalation.length > 1 ? [] : escalation),
    ]),
    ...(held.length > 1 ? [item('plain', 'Nearest to liquidation first', positionLines(held))] : []),
    item('plain', text`${since}: ${firedText(told.dailySummary)}`, worstLines(told.dailySummary)),
    ...(blind.length > 0 ? [item('plain', 'What I could not see', blind)] : []),
    ...(rest.length > 0 ? [item('plain', 'Held back', rest)] : []),
    // More than one would be cut off where the figures are.
    ...(escalation.length > 1
      ? [item('plain', 'What is critical may not reach whom it should', escalation)]
      : []),
  ]
}

/** A lock screen shows only this: the worst position. */
function headText(held: readonly Holding[]): Text {
  const [worst] = held
  return worst ? text`Daily digest: ${positionText(worst)}` : 'Daily digest: no open position'
}

function lateLines({ now }: EvaluationContext, { dueAt }: Scope): Text[] {
  return now - dueAt < LATE_MS
    ? []
    : [['late: it was due ', { time: dueAt, as: 'clock' }, ', and I could not tell it then']]
}

function escalationLines(drawers: Pick<Memory, 'people' | 'run'>, { chat }: Scope): Text[] {
  return chat.private ? escalationTroubles(escalationOf(drawers, chat.personId)) : []
}

/** PnL and funding of the open positions: the results of positions closed meanwhile are not known. */
function sumLines(held: readonly Holding[], before: Digest['told']): Text[] {
  if (held.length === 0) return []
  const priced = held.filter(({ counted }) => counted !== null)
  const missing = held.length - priced.length
  const without = missing === 0 ? '' : `, without ${missing} whose PnL I do not know`
  const many = held.length === 1 ? '1 open position' : `${held.length} open positions`
  if (priced.length === 0) return [`${many}, no PnL of them now`]
  const pnl = priced.reduce((sum, { counted }) => sum + (counted?.pnlUsd ?? 0), 0)
  const funding = priced.reduce((sum, { fundingUsdPerDay }) => sum + (fundingUsdPerDay ?? 0), 0)
  const moved = before && movedSince(held, before.open)
  const of =
    moved?.of === held.length ? '' : ` (${moved?.of ?? 0} of ${held.length}: the rest is new or changed)`
  const change: Text[] =
    before && moved
      ? [text`${signedUsd(moved.usd)} since ${{ time: before.at, as: 'clock' }}${of}`]
      : ['its change is not known: all of it is new or changed']
  return [
    text`${many}, PnL ${signedUsd(pnl)}${without}`,
    ...(before ? change : []),
    funding === 0
      ? 'no funding at the present rates'
      : text`funding ${funding < 0 ? 'paid' : 'received'}: about ${usd(Math.abs(funding))} a day, estimated from the present rates`,
  ]
}

function positionLines(held: readonly Holding[]): Text[] {
  const more = held.length - POSITIONS
  return [
    ...held.slice(0, POSITIONS).map(positionText),
    ...(more > 0 ? [`and ${more} more: /positions`] : []),
  ]
}

function positionText({ name, away, liquidates }: Holding): Text {
  if (away !== null) return text`${name}: ${fromLiquidation(away)}`
  return `${name}: ${liquidates ? 'distance not known now' : 'no liquidation price'}`
}

function firedText({ fired }: DailySummary): string {
  const named = (['critical', 'warning', 'info'] as const satisfies readonly Severity[])
    .filter((severity) => fired[severity] > 0)
    .map((severity) => `${fired[severity]} ${severity}`)
  return named.length === 0 ? 'no alert' : named.join(', ')
}

function worstLines({ worst, fired }: DailySummary): Text[] {
  const more = Object.values(fired).reduce((sum, many) => sum + many, 0) - worst.length
  return [
    ...worst.map(({ title, closedAt }) => `${title}${closedAt === null ? ', still open' : ''}`),
    ...(more > 0 ? [`and ${more} more: /history`] : []),
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
    const times = distinct.length > 1 ? ` in ${distinct.length} times` : ''
    const still = source !== null && memory.sources.blind.has(source) ? ', still so' : ''
    const what =
      source === null ? 'anything, for I was not running' : sourceWords(memory, [sourceOf(source)], chat.id)
    return text`${what}: ${age(ms)}${times}${still}`
  })
  const more = lines.length - NAMED
  return [...lines.slice(0, NAMED), ...(more > 0 ? [`and ${more} more: /status`] : [])]
}

function unreadLines(look: EvaluationContext, { wallets, chat }: Scope): Text[] {
  const all = failedParts(look.memory, wallets).slice(0, NAMED)
  const unasked = unaskedParts(look.memory, wallets, look.now).slice(0, NAMED)
  return [
    ...(wallets.length > 0 && !pricesAreFresh(look) ? ['I see no prices now'] : []),
    ...all.map(({ wallet, accountId, at }): Text => {
      const label = walletLabel(look.memory, chat.personId, wallet)
      const shown = accountId === null ? label : text`${label} in ${accountWords(accountId)}`
      return at === null
        ? text`${shown}: not read yet`
        : text`${shown}: as last read ${{ time: at, as: 'clock' }}`
    }),
    ...unasked.map(({ wallet, parts, at }): Text => {
      const label = walletLabel(look.memory, chat.personId, wallet)
      const more = parts.length > NAMED ? ` and ${parts.length - NAMED} more` : ''
      const named = `${parts.slice(0, NAMED).join(', ')}${more}`
      return text`${label} in ${named}: empty when last read ${{ time: at, as: 'clock' }}`
    }),
  ]
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
    ...(quiet ? [`quiet hours ${timeText(quiet.from)}-${timeText(quiet.to)} (${zone})`] : []),
    ...mutes.slice(0, NAMED).map(({ of, until }): Text => {
      const what =
        of.is === 'wallet' ? walletLabel(drawers, chat.personId, of.wallet) : mutedText(drawers, of)
      return text`${what} muted until ${{ time: until, as: 'clock' }}`
    }),
    ...(held > 0 ? [`${held} held back until then: /alerts`] : []),
  ]
}

function mutedText(drawers: Pick<Memory, 'markets'>, of: Exclude<Muted, { is: 'wallet' }>): string {
  if (of.is === 'all') return 'all alerts'
  return of.is === 'kind' ? of.kind : symbolOf(drawers, of.marketId)
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

/** A wall clock that was days ahead must not keep a digest for as long; one that was hours ahead must not repeat it. */
export function unkept({ people: { chats, digests } }: Pick<Memory, 'people'>, now: number): Effect[] {
  return [...digests].flatMap((chatId): Effect[] => {
    const chat = chats.get(chatId)
    return chat?.digest && chat.digest.after - now > DAY_MS
      ? [{ is: 'chat', chat: { ...chat, digest: { ...chat.digest, after: now } } }]
      : []
  })
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
    wallets: keeper.private
      ? [...memory.rules.watchesOf.of(keeper.personId).keys()]
      : [...walletsIn(memory, keeper.id)],
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

function zoneOf({ people: { persons } }: Pick<Memory, 'people'>, { personId }: Chat): string {
  return persons.get(personId)?.zone ?? 'UTC'
}

/** A digest that is due, with what the store knows of the day; null when it is not due any more. */
export async function digestTurn(
  history: Pick<HistoryStore, 'dailySummary'>,
  look: EvaluationContext,
  keeperId: number,
): Promise<Outcome | null> {
  const scope = scopeOf(look, keeperId)
  if (!scope) return null
  const dailySummary = await history.dailySummary(scope.chatIds, scope.since)
  return { observed: [], decisions: [digestOf(look, keeperId, scope, dailySummary)] }
}

/** The summary, kept with the note that it was told: a crash neither loses nor repeats it. */
function digestOf(
  look: EvaluationContext,
  keeperId: number,
  scope: Scope,
  dailySummary: DailySummary,
): Decision {
  const { memory, now } = look
  const keeper = memory.people.chats.get(keeperId) ?? scope.chat
  const held = holdings(look, scope.wallets, keeper.personId)
  const open = Object.fromEntries(held.flatMap(({ key, counted }) => (counted ? [[key, counted]] : [])))
  const before = keeper.digest?.told ?? null
  const items = digestItems(look, scope, held, { before, dailySummary })
  const minute = keeper.digest?.minute ?? 0
  const decision = silent(scope.chat.id, [
    {
      is: 'chat',
      chat: { ...keeper, digest: { minute, after: lastDue(scope, minute, now), told: { at: now, open } } },
    },
  ])
  const shared = { reason: 'digest', severity: 'info', quiet: true } as const
  decision.notices = items.map((one: Item, order) => ({
    ...shared,
    ...{ item: bounded(one), alertIds: [], order, about: `digest/${keeper.id}` },
  }))
  return decision
}
