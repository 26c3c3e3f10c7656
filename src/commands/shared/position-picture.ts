import type { Kind } from '../../alert/alert.ts'
import type { AtRisk } from '../../alert/deleverage.ts'
import { type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import type { View } from '../../command/context.ts'
import { type Text, text, words } from '../../message/message.ts'
import type { Picture, PositionPicture } from '../../message/picture.ts'
import type { Account } from '../../venue/account.ts'
import { labelOf, type Position, positionKey } from '../../venue/position.ts'
import { LIVE_MS } from '../../venue/reading.ts'
import { positionItem, type ShownPosition, worstFirst } from './position-lines.ts'
import { figuresOf, tiersFor } from './open-position.ts'

type Seen = Pick<View, 'rules' | 'monitor' | 'firing'>

const HOUR_MS = 3_600_000
/** How it came to that, for somebody who looks of their own accord. */
export const DAY_MS = 24 * HOUR_MS
/** The same for somebody who was just alerted: what counts has happened lately. */
const ALERT_SPAN_MS = 6 * HOUR_MS
/** More would not find room, and a row stays small. */
const MOST = { tiers: 8, marks: 8 }

/** When the data of a picture were read: wall times; null where they were not. */
interface ReadTimes {
  priceAt: number | null
  positionAt?: number | null
}

/** The picture of a position, of the time before `now` (wall time). */
export function positionPicture(
  view: Seen,
  kinds: readonly Kind[],
  personId: number,
  held: ShownPosition,
  { now, spanMs, ...read }: { now: number; spanMs: number } & ReadTimes,
): PositionPicture<Text> {
  const since = now - spanMs
  const key = positionKey(held.position)
  const { title } = positionItem(held, now, true)
  return {
    ...{ is: 'position', ...figuresOf(held), since, until: now },
    ...oldPart(now, { ...read, positionAt: held.seenAt ?? read.positionAt ?? null }),
    tiers: tiersFor(view, kinds, personId)(held).slice(-MOST.tiers),
    marks: view
      .firing(personId)
      .filter(({ subject, since: began }) => subjectKey(subject) === key && began >= since)
      .slice(0, MOST.marks)
      .map(({ since: at, severity }) => ({ at, severity })),
    words: words('picture.position', {
      position: title,
      span: spanText(spanMs),
      at: [{ time: now, as: 'clock' }],
    }),
  }
}

/** The oldest part of the data of a picture; nothing while all is live. */
export function oldPart(now: number, { priceAt, positionAt = null }: ReadTimes): Pick<Picture, 'old'> {
  const [price, position] = [now - (priceAt ?? now), now - (positionAt ?? now)]
  const ms = Math.max(price, position)
  return ms < LIVE_MS ? {} : { old: { what: price >= position ? 'price' : 'position', ms } }
}

/** `24 h`, `7 d`: the whole span of a picture. */
export function spanText(spanMs: number): string {
  return spanMs > DAY_MS ? `${spanMs / DAY_MS} d` : `${spanMs / HOUR_MS} h`
}

/**
 * The picture of the position that an alert of this person is about, or of the one nearest to liquidation in its account.
 * From memory: null where no such position is known.
 */
export function subjectPicture(
  view: SeenPositions,
  kinds: readonly Kind[],
  { personId, subject }: { personId: number; subject: SubjectId },
  now: number,
): PositionPicture<Text> | null {
  const found = nearestOf(view, personId, subject)
  if (!found) return null
  const { held, ...read } = found
  return positionPicture(view, kinds, personId, held, { now, spanMs: ALERT_SPAN_MS, ...read })
}

type SeenPositions = Seen & Pick<View, 'accounts' | 'market' | 'positions' | 'symbol' | 'watches'>

/** The position that an alert is about, and when it was read. Null where none is known, or its wallet is not watched. */
function nearestOf(
  view: SeenPositions,
  personId: number,
  subject: SubjectId,
): ({ held: ShownPosition } & ReadTimes) | null {
  if (subject.is !== 'position' && subject.is !== 'account') return null
  const watch = view.watches(personId).find(({ wallet }) => wallet === subject.wallet)
  const reading = view.positions(subject.wallet)
  if (!watch || !reading) return null
  const [held] = worstFirst(
    reading.value.filter(coveredBy(subject, view.accounts(subject.wallet))).map((position) => ({
      position,
      market: view.market(position.marketId)?.value ?? null,
      symbol: view.symbol(position.marketId),
      wallet: labelOf(position, watch.label, reading.value),
    })),
  )
  if (!held) return null
  return { held, priceAt: view.market(held.position.marketId)?.at ?? null, positionAt: reading.at }
}

function coveredBy(subject: SubjectId, accounts: readonly Account[]): (position: Position) => boolean {
  if (subject.is !== 'account') return (position) => positionKey(position) === subjectKey(subject)
  const pool = accounts.filter((one) => one.pool === subject.accountId)
  const own = new Set(pool.map(({ accountId }) => accountId))
  return ({ margin, accountId }) => margin !== 'isolated' && own.has(accountId)
}

/** No amount is left: for the chats where others read. */
const HIDDEN = { size: null, value: null, entry: null, pnl: null, fundingPerDay: null }

/**
 * The picture that follows the words of an alert in a chat. Null where its reader wants none, or where the alert's person
 * does not watch the wallet. In a bound chat, and for `whose` backup it is, it shows what the alert tells and no amount.
 */
export function alertPicture(
  view: SeenPositions & Pick<View, 'chat' | 'pictures'>,
  kinds: readonly Kind[],
  { alertId, chatId, severity }: Pick<AtRisk, 'alertId' | 'chatId' | 'severity'>,
  { to, whose, now }: { to: number; whose: string | null; now: number },
): PositionPicture<Text> | null {
  const [personId, reader] = [view.chat(chatId)?.personId, view.chat(to)]
  if (personId === undefined || reader === null) return null
  if (severity !== 'critical' || view.pictures(reader.personId) === 'off') return null
  const isOwn = reader.personId === personId
  // An agreement may have ended meanwhile.
  if (!isOwn && whose === null) return null
  const alert = view.firing(personId).find((one) => one.alertId === alertId)
  const found = alert && nearestOf(view, personId, alert.subject)
  if (!found) return null
  const { held, ...read } = found
  const times = { now, spanMs: ALERT_SPAN_MS, ...read }
  if (reader.private && isOwn) return positionPicture(view, kinds, personId, held, times)
  const told: Seen = {
    monitor: view.monitor,
    rules: (id) => view.rules(id).filter((rule) => rule.chatId === chatId),
    firing: (id) => view.firing(id).filter((one) => one.alertId === alertId),
  }
  const picture = { ...positionPicture(told, kinds, personId, held, times), ...HIDDEN }
  if (whose === null) return picture
  return { ...picture, wallet: `${whose} · ${held.wallet}`, words: text`${`for ${whose}: `}${picture.words}` }
}
