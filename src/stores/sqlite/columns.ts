import type { ChosenPreset } from '../../alert/preset.ts'
import type { AlertState } from '../../alert/alert-state.ts'
import type { Alert, Rule, Severity } from '../../alert/alert.ts'
import type { MonitorId } from '../../alert/monitor.ts'
import { subjectKey, subjectOf } from '../../alert/subject-id.ts'
import type { TimelineEntry } from '../../alert/timeline.ts'
import type { NumberStyle } from '../../lib/text/format.ts'
import { fromJson, toJson } from '../../lib/text/json.ts'
import type { Message } from '../../message/message.ts'
import type { Reason } from '../../message/reason.ts'
import type { Chat } from '../../people/chat.ts'
import type { Digest, WeeklyDigest } from '../../people/digest.ts'
import type { QuietHours } from '../../people/mute.ts'
import { type Person, PICTURE_CHOICES, type Step, type Watch } from '../../people/person.ts'
import type { Pin } from '../../people/pin.ts'
import type { PendingQuestion } from '../../people/question.ts'
import type { Session } from '../../people/session.ts'
import type { WalletRow } from '../../store/snapshot.ts'
import type { Amount } from '../../venue/amount.ts'
import type { CloseOutcome } from '../../venue/close-outcome.ts'
import type { ClosedPosition } from '../../venue/closed-position.ts'
import type { Position } from '../../venue/position.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { languageOf } from '../../words/words.ts'

/** A row as better-sqlite3 returns it. */
export type Columns = Record<string, string | number | null>

/** Shares equal words and parameters between rows while they are read: very many rows hold the same few. */
export interface Alike {
  word<W extends string>(word: W): W
  json(text: string): unknown
  market(id: string, symbol: string): NonNullable<Rule['market']>
}

export function createAlike(): Alike {
  const words = new Map<string, string>()
  const values = new Map<string, unknown>()
  const markets = new Map<string, NonNullable<Rule['market']>>()
  return {
    market(id, symbol) {
      const name = `${id} ${symbol}`
      const known = markets.get(name)
      if (known) return known
      const fresh = { id, symbol }
      markets.set(name, fresh)
      return fresh
    },
    word<W extends string>(word: W) {
      const known = words.get(word)
      if (known !== undefined) return known as W
      words.set(word, word)
      return word
    },
    json(text) {
      if (!values.has(text)) values.set(text, fromJson(text))
      return values.get(text)
    },
  }
}

export function personFrom(row: Columns, identities: readonly Columns[], { word, json }: Alike): Person {
  return {
    id: Number(row['id']),
    operator: row['operator'] === 1,
    // An earlier version wrote none where the machine named an odd one.
    zone:
      row['zone'] == null || row['zone'] === 'null' || row['zone'] === 'undefined'
        ? 'UTC'
        : word(String(row['zone'])),
    numbers: word(row['numbers'] as NumberStyle),
    language: languageOf(row['language'] as string | null),
    spoken: languageOf(row['spoken'] as string | null),
    detail: row['detail'] === 'full' ? 'full' : 'short',
    pictures: PICTURE_CHOICES.find((one) => one === row['pictures']) ?? 'on',
    theme: row['theme'] === 'light' ? 'light' : 'dark',
    preset: row['preset'] === null ? null : (fromJson(String(row['preset'])) as ChosenPreset),
    defaultChat: row['default_chat'] as number | null,
    fallbackChat: row['fallback_chat'] as number | null,
    escalateFrom: Number(row['escalate_from']),
    steps: json(String(row['steps'])) as Step[],
    identities: identities.map((one) => ({
      platform: word(String(one['platform'])),
      user: String(one['user']),
    })),
  }
}

export function chatFrom(row: Columns, { word }: Alike): Chat {
  return {
    id: Number(row['id']),
    address: {
      platform: word(String(row['platform'])),
      chat: String(row['chat']),
      thread: row['thread'] as string | null,
    },
    title: row['title'] as string | null,
    personId: Number(row['person_id']),
    private: row['private'] === 1,
    mention: row['mention'] as string | null,
    brokenBecause: row['broken_because'] as string | null,
    quiet: row['quiet'] === null ? null : (fromJson(String(row['quiet'])) as QuietHours),
    digest: row['digest'] === null ? null : (fromJson(String(row['digest'])) as Digest),
    weekly: row['weekly'] === null ? null : (fromJson(String(row['weekly'])) as WeeklyDigest),
    pin: row['pin'] === null ? null : (fromJson(String(row['pin'])) as Pin),
    acksBy: row['acks_by'] === 'anybody' ? 'anybody' : 'known',
  }
}

export function questionFrom(row: Columns): PendingQuestion {
  const [platform, thread] = [String(row['platform']), String(row['thread'])]
  return {
    by: { platform, user: String(row['user']) },
    chat: { platform, chat: String(row['chat']), thread: thread === '' ? null : thread },
    personId: Number(row['person_id']),
    asked: fromJson(String(row['asked'])) as Message,
    until: Number(row['until']),
  }
}

export function sessionFrom(row: Columns): Session {
  return {
    id: Number(row['id']),
    personId: Number(row['person_id']),
    is: row['kind'] as Session['is'],
    user: String(row['user']),
    name: String(row['name']),
    via: String(row['via']),
    since: Number(row['since']),
    until: Number(row['until']),
  }
}

export function watchFrom(row: Columns, { word }: Alike): Watch {
  return {
    wallet: word(row['owner'] as Wallet),
    personId: Number(row['person_id']),
    label: word(String(row['label'])),
    since: Number(row['since']),
    as: row['sort'] === 'followed' ? 'followed' : 'own',
  }
}

export function ruleFrom(row: Columns, { word, json, market }: Alike): Rule {
  return {
    id: Number(row['id']),
    personId: Number(row['person_id']),
    chatId: Number(row['chat_id']),
    kind: word(String(row['kind'])),
    params: json(String(row['params'])),
    identity: word(String(row['identity'])),
    wallet: row['owner'] === null ? null : word(row['owner'] as Wallet),
    market: row['market_id'] === null ? null : market(String(row['market_id']), String(row['symbol'])),
    armedByWatch: row['armed_by_watch'] === 1,
    holdMs: Number(row['hold_ms']),
    ...(row['set_by'] === null ? {} : { setBy: String(row['set_by']) }),
  }
}

export function walletFrom(row: Columns, alike: Alike): WalletRow {
  const wallet = alike.word(row['owner'] as Wallet)
  return {
    wallet,
    at: Number(row['at']),
    ...looksFrom(String(row['looks'])),
    positions: positionsFrom(String(row['positions']), wallet, alike),
    prices: JSON.parse(String(row['prices'])) as Record<string, number>,
    symbols: JSON.parse(String(row['symbols'])) as Record<string, string>,
    gone: row['gone'] === '[]' ? [] : goneFrom(String(row['gone'])),
    touchedLiquidation:
      row['passed'] === '{}' ? {} : (fromJson(String(row['passed'])) as Record<string, number>),
  }
}

function looksFrom(text: string): Pick<WalletRow, 'looks'> {
  return text === '{}' ? {} : { looks: fromJson(text) as NonNullable<WalletRow['looks']> }
}

function goneFrom(text: string): ClosedPosition[] {
  return (readingsFrom(text) as ClosedPosition[]).map(withLaterFields)
}

/** An earlier version wrote neither the close record nor the fees. */
function withLaterFields(one: ClosedPosition): ClosedPosition {
  const ending = one.ending && { ...one.ending, feesUsd: one.ending.feesUsd ?? null }
  return { ...one, ending: ending ?? null, takerFee: one.takerFee ?? null }
}

/** Returns the columns of a monitor. */
export function monitorColumns({
  chatId,
  kind,
  identity,
  subject,
}: MonitorId): [number, string, string, string] {
  return [chatId, kind, identity, subjectKey(subject)]
}

export function monitorFrom(row: Columns): MonitorId {
  return {
    chatId: Number(row['chat_id']),
    kind: String(row['kind']),
    identity: String(row['identity']),
    subject: subjectOf(String(row['subject'])),
  }
}

export function alertFrom(row: Columns): Alert {
  return {
    id: Number(row['id']),
    ...monitorFrom(row),
    ruleIds: fromJson(String(row['rule_ids'])) as number[],
    personId: Number(row['person_id']),
    title: String(row['title']),
    severity: row['severity'] as Severity,
    openedAt: Number(row['opened_at']),
    closedAt: row['closed_at'] as number | null,
    closing: row['closing'] === null ? null : (fromJson(String(row['closing'])) as CloseOutcome),
  }
}

export function stepFrom(alertId: number, row: Columns): TimelineEntry {
  return {
    alertId,
    at: Number(row['at']),
    reason: reasonFrom(row['reason']),
    what: String(row['what']),
    value: row['value'] as number | null,
    threshold: String(row['threshold']),
    dataAt: Number(row['dataAt']),
    queuedAt: row['queuedAt'] as number | null,
    sentAt: row['sentAt'] as number | null,
    attempts: Number(row['attempts']),
    possibleRepeat: row['possibleRepeat'] === 1,
    outcome: row['outcome'] as TimelineEntry['outcome'],
  }
}

/**
 * The positions of one account that follow each other. Up to schema 27 each position was a list of its own, which began with
 * the account; such a list stays until the wallet changes.
 */
type AccountRow =
  | [accountId: string, ...positions: PositionRow[]]
  | [accountId: string, ...position: PositionRow]

/**
 * A position as a list without field names. SQLite needs a second page for more than 1,000 bytes of a wallet. So a list ends
 * before the nulls at its end, and an amount before its zeros.
 */
type PositionRow = readonly [
  marketId: string,
  size: string,
  entryPrice?: string | null,
  liquidationPrice?: string | null,
  margin?: Position['margin'],
  leverage?: number | null,
  fundingUsd?: string | null,
  openedAt?: number | null,
  breakEvenPrice?: string | null,
  realisedPnlUsd?: string | null,
]

export function positionsText(positions: readonly Position[]): string {
  const rows: [string, ...unknown[]][] = []
  for (const { accountId, marketId, size, ...one } of positions) {
    const row = [marketId, amountText(size), amountText(one.entryPrice), amountText(one.liquidationPrice)]
    const terms = [one.margin, one.leverage, amountText(one.fundingUsd), one.openedAt] as const
    const all = [...row, ...terms, amountText(one.breakEvenPrice), amountText(one.realisedPnlUsd)]
    while (all.at(-1) === null) all.pop()
    const last = rows.at(-1)
    if (last?.[0] === accountId) last.push(all)
    else rows.push([accountId, all])
  }
  return JSON.stringify(rows)
}

function positionsFrom(text: string, wallet: Wallet, { word }: Alike): Position[] {
  const positions: Position[] = []
  for (const [accountId, ...rows] of JSON.parse(text) as AccountRow[])
    for (const row of (typeof rows[0] === 'string' ? [rows] : rows) as PositionRow[]) {
      const [marketId, size, entryPrice, liquidationPrice, margin = null, leverage = null, ...others] = row
      const [fundingUsd, openedAt = null, breakEvenPrice, realisedPnlUsd] = others
      positions.push({
        wallet,
        accountId,
        marketId: word(marketId),
        size: amountFrom(size),
        entryPrice: amountFrom(entryPrice),
        liquidationPrice: amountFrom(liquidationPrice),
        margin,
        leverage,
        fundingUsd: amountFrom(fundingUsd),
        breakEvenPrice: amountFrom(breakEvenPrice),
        realisedPnlUsd: amountFrom(realisedPnlUsd),
        openedAt,
      })
    }
  return positions
}

/** Amounts count in small units, so most end in zeros: `15989e16`. */
function amountText(amount: Amount | null): string | null {
  if (amount === null) return null
  const digits = String(amount)
  let end = digits.length
  while (end > 1 && digits[end - 1] === '0') end--
  return digits.length - end < 3 ? digits : `${digits.slice(0, end)}e${digits.length - end}`
}

function amountFrom(text: string): Amount
function amountFrom(text: string | null | undefined): Amount | null
function amountFrom(text: string | null | undefined): Amount | null {
  if (text == null) return null
  const end = text.indexOf('e')
  if (end < 0) return BigInt(text)
  const zeros = Number(text.slice(end + 1))
  return BigInt(text.slice(0, end)) * (POWERS[zeros] ?? 10n ** BigInt(zeros))
}

const POWERS = Array.from({ length: 25 }, (_, zeros) => 10n ** BigInt(zeros))

/**
 * The columns keep the words of the first versions, so that no database has to be rewritten, and none is closed to an
 * older program. This file alone knows both spellings.
 */
const REASONS: Record<Reason, string> = {
  fired: 'entered',
  worse: 'worse',
  better: 'better',
  resolved: 'cleared',
  unconfirmed: 'unconfirmed',
  reminder: 'repeated',
  'gave-up': 'unheeded',
  'snooze-ended': 'reminded',
  acknowledged: 'acknowledged',
  snoozed: 'snoozed',
  summary: 'summed',
  coalesced: 'merged',
  digest: 'digest',
  occurred: 'happened',
  ended: 'ended',
  outage: 'blind',
  recovered: 'sighted',
  notice: 'notice',
  test: 'test',
}

const FROM_COLUMN = new Map(Object.entries(REASONS).map(([reason, column]) => [column, reason as Reason]))

export function reasonColumn(reason: Reason): string {
  return REASONS[reason]
}

/** Null for a row from before reasons were kept. */
export function reasonFrom(column: unknown): Reason | null {
  return FROM_COLUMN.get(String(column)) ?? null
}

/** In JSON a quoted word before a colon can only be a key: inside of a string its quotes are escaped. */
type Spelling = readonly (readonly [word: string, column: string])[]

const STATE: Spelling = [
  ['"acknowledgement":', '"heed":'],
  ['"remindAt":', '"ringAt":'],
  ['"reminders":', '"times":'],
  ['{"is":"waiting",', '{"is":"none",'],
  ['{"is":"given-up"}', '{"is":"unheeded"}'],
]

const READINGS: Spelling = [
  ['"wallet":', '"owner":'],
  ['"isProtective":', '"guardsPosition":'],
]

export function stateColumn(state: AlertState): string {
  return written(JSON.stringify(state), STATE)
}

export function stateFrom(column: string): AlertState {
  return fromJson(read(column, STATE)) as AlertState
}

/** JSON that holds a venue's nouns, such as a closed position with its orders. */
export function readingsColumn(value: unknown): string {
  return written(toJson(value), READINGS)
}

export function readingsFrom(column: string): unknown {
  return fromJson(read(column, READINGS))
}

function written(json: string, spelling: Spelling): string {
  return spelling.reduce((text, [word, column]) => text.replaceAll(word, column), json)
}

function read(json: string, spelling: Spelling): string {
  return spelling.reduce((text, [word, column]) => text.replaceAll(column, word), json)
}
