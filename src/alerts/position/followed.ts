import { z } from 'zod'

import { FOLLOWED_KIND, type Occurrence } from '../../alert/alert.ts'
import { eventKind } from '../../alert/define-kind.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import { leastUsd, typedSum } from '../../chat/argument.ts'
import { usd } from '../../message/figure.ts'
import { words } from '../../message/message.ts'
import { type Amount, magnitude, multiply, toNumber } from '../../venue/amount.ts'
import type { ClosedPosition, TakenPart } from '../../venue/closed-position.ts'
import { keyOfSide, notional, type Position, positionKey, side } from '../../venue/position.ts'
import {
  endedItem,
  openedItem,
  resizedItem,
  stillOpenItem,
  takenItem,
  tradedItem,
  turnedItem,
} from './followed-items.ts'
import { type CloseDetail, closings, isEnded, isTaken } from './position-closed.ts'
import { openings } from './position-opened.ts'
import { resizings } from './position-resized.ts'

/** Traders buy in slices: changes this soon after a message are one change. */
const COLLECT_MS = 60_000

interface State {
  opened: string[]
  closed: string[]
  resized: ReturnType<typeof resizings>['state']
  /** Keys of the positions that were worth telling, so that their ends are told too. */
  told: string[]
}

type Resized = ReturnType<typeof resizings>['occurrences'][number]['detail']

type Detail =
  | { is: 'opened'; position: Position }
  | { is: 'still open'; position: Position }
  /** `turned`: the position on the other side that stands in its place. */
  | { is: 'ended'; gone: ClosedPosition; turned: Position | null }
  | { is: 'taken'; part: TakenPart }
  | { is: 'resized'; change: Resized; isOpen: boolean }

/** Tells what the wallet of somebody else does. It never warns: nobody who follows a wallet can save it. */
export default eventKind({
  name: FOLLOWED_KIND,
  summary: words('kind.followed.summary'),
  example: 'followed whale $10k',
  on: 'wallet',
  needs: ['wallet'],
  whose: 'followed',
  params: z.object({
    least: leastUsd().default(0),
  }),
  describe: ({ least }) =>
    least > 0 ? words('kind.followed.line', { usd: usd(least) }) : words('kind.followed.every'),
  when: ({ least }) =>
    least > 0 ? words('kind.followed.when', { usd: usd(least) }) : words('kind.followed.summary'),
  typed: ({ least }) => typedSum({ unit: 'usd', value: least }),
  merge: (all) => ({ least: Math.min(...all.map(({ least }) => least)) }),
  severity: 'info',
  detect({ least }, state: State | undefined, subject) {
    const isWorth = (worth: number) => worth >= least
    // A long that turned into a short: the short waits until it is known what the long has brought.
    const turning = new Set(
      subject.positions.filter((one) => state && subject.missing.includes(otherSide(one))).map(positionKey),
    )
    const settled = subject.positions.filter((one) => !turning.has(positionKey(one)))
    const opened = openings(state?.opened, { ...subject, positions: settled })
    const closed = closings(state?.closed, subject)
    const within = COLLECT_MS
    const resized = resizings(least > 0 ? { usd: least, within } : { within }, state?.resized, subject)

    const wasTold = new Set(
      state?.told ?? subject.positions.filter((one) => isWorth(worthOf(one, subject))).map(positionKey),
    )
    const turned = new Map(opened.occurrences.map(({ detail }) => [otherSide(detail), detail]))
    const occurrences: Occurrence<Detail>[] = [
      ...opened.occurrences.flatMap(({ detail: position }) =>
        isWorth(worthOf(position, subject)) && !endsIn(closed.occurrences, otherSide(position))
          ? [about(position, { is: 'opened', position })]
          : [],
      ),
      ...closed.occurrences.flatMap(({ what, position: key, detail }): Occurrence<Detail>[] => {
        const isKnown = key !== null && wasTold.has(key)
        if (isTaken(detail)) {
          const worth = toNumber(multiply(detail.size, priceOf(detail.position, subject) ?? 0n))
          const part = { is: 'taken', part: detail } as const
          return isKnown || isWorth(worth) ? [{ what, value: null, position: key, detail: part }] : []
        }
        if (!isEnded(detail)) return isKnown ? [about(detail, { is: 'still open', position: detail })] : []
        const next = turned.get(detail.key) ?? null
        const isTold =
          isKnown ||
          isWorth(worthOf(detail.position, subject)) ||
          (next !== null && isWorth(worthOf(next, subject)))
        if (!isTold) return []
        const ended = { is: 'ended', gone: detail, turned: next } as const
        return next === null
          ? [{ what, value: null, position: key, detail: ended }]
          : [{ ...about(next, ended), what: 'turned' }]
      }),
      ...resized.occurrences.flatMap(({ detail: change, ...one }): Occurrence<Detail>[] => {
        const { position, entry } = change
        const isTold = entry === null || isWorth(worthOf(position, subject))
        const detail = { is: 'resized', change, isOpen: one.position !== null } as const
        const { bearsOn } = one as { bearsOn?: string }
        const bears = bearsOn === undefined ? {} : { bearsOn }
        return isTold ? [{ what: one.what, value: null, position: one.position, ...bears, detail }] : []
      }),
    ]
    const told = new Set([...wasTold, ...occurrences.flatMap(({ position }) => position ?? [])])
    return {
      isIdempotent: resized.isIdempotent && turning.size === 0,
      state: {
        ...{ opened: opened.state, closed: closed.state, resized: resized.state },
        told: subject.positions
          .map(positionKey)
          .filter((key) => told.has(key))
          .sort(),
      },
      occurrences,
    }
  },
  tell(_params, { detail }, subject) {
    if (detail.is === 'opened') return openedItem(detail.position, subject)
    if (detail.is === 'still open') return stillOpenItem(detail.position, subject)
    if (detail.is === 'taken') return takenItem(detail.part, subject)
    if (detail.is === 'ended')
      return detail.turned === null
        ? endedItem(detail.gone, subject)
        : turnedItem(detail.gone, detail.turned, subject)
    const { entry } = detail.change
    return entry === null
      ? resizedItem(detail.change, detail.isOpen, subject)
      : tradedItem(detail.change.position, entry, subject)
  },
})

function about(position: Position, detail: Detail): Occurrence<Detail> {
  return { what: detail.is, value: null, position: positionKey(position), detail }
}

function otherSide(position: Position): string {
  return keyOfSide(position, side(position) === 'long' ? 'short' : 'long')
}

function endsIn(all: readonly { detail: CloseDetail }[], key: string): boolean {
  return all.some(({ detail }) => isEnded(detail) && detail.key === key)
}

function priceOf({ marketId, entryPrice }: Position, { market }: WalletSubject): Amount | null {
  return market(marketId)?.price ?? entryPrice
}

/** USD. A position that has no price counts as large: what is not known is told. */
function worthOf(position: Position, subject: WalletSubject): number {
  const price = priceOf(position, subject)
  return price === null || magnitude(position.size) === 0n ? Infinity : notional(position, price)
}
