import { expect, test } from 'vitest'

import type { SubjectId } from '../../../src/alert/subject-id.ts'
import { kinds } from '../../../src/alerts/index.ts'
import {
  alertPicture,
  positionPicture,
  subjectPicture,
} from '../../../src/commands/shared/position-picture.ts'
import { aView } from '../../dialog/world.ts'
import { NOON } from '../../support/clock.ts'
import { aChat, ALICE, aMarket, anAccount, aPosition, BOB, exact } from '../../support/fixtures.ts'

const HOUR_MS = 3_600_000

const held = [
  aPosition({ accountId: '1', margin: 'isolated', liquidationPrice: exact('2400') }),
  aPosition({ accountId: '2', marketId: '200', size: exact('1'), liquidationPrice: exact('90000') }),
  aPosition({ accountId: '2', marketId: '300', size: exact('7'), liquidationPrice: exact('120') }),
  // Its margin is its own: an alert of the account is not about it.
  aPosition({
    ...{ accountId: '2', marketId: '300', margin: 'isolated', size: exact('-7') },
    liquidationPrice: exact('172'),
  }),
]
const view = aView({
  positions: () => ({ value: held, at: NOON - 40_000, mono: 0 }),
  accounts: () => [anAccount({ accountId: '2', pool: 'one' })],
})
const pictureOf = (subject: SubjectId) => subjectPicture(view, kinds, { personId: 1, subject }, NOON)

test('the picture of an alert about a position is of that one', () => {
  const subject = { is: 'position', wallet: ALICE, accountId: '1', marketId: '100', side: 'long' } as const
  expect(pictureOf(subject)).toMatchObject({ symbol: 'ETH', wallet: 'main', liquidation: 2_400 })
  expect(pictureOf(subject)?.old).toEqual({ what: 'position', ms: 40_000 })
  expect(pictureOf({ ...subject, side: 'short' })).toBeNull()
})

test('that of an account is of the one nearest to liquidation among those that it covers', () => {
  expect(pictureOf({ is: 'account', wallet: ALICE, accountId: 'one' })?.symbol).toBe('BTC')
  expect(pictureOf({ is: 'account', wallet: ALICE, accountId: 'other' })).toBeNull()
})

test('there is none of a market, nor of a wallet that the person does not watch', () => {
  expect(pictureOf({ is: 'market', marketId: '100' })).toBeNull()
  const foreign = aView({ ...view, watches: () => [] })
  const subject = { is: 'account', wallet: BOB, accountId: 'one' } as const
  expect(subjectPicture(foreign, kinds, { personId: 1, subject }, NOON)).toBeNull()
})

test('the picture behind the words of an alert is the same, and each of two sub-accounts has its own', () => {
  const [alert] = view.firing(1)
  const behind = (accountId: string) => {
    const subject = { is: 'position', wallet: ALICE, accountId, marketId: '100', side: 'long' } as const
    const twins = aView({
      ...view,
      positions: () => ({ value: [...held, aPosition({ accountId: '9' })], at: NOON, mono: 0 }),
      firing: () => (alert ? [{ ...alert, subject }] : []),
      chat: (id) => aChat({ id, personId: 1 }),
    })
    const risk = { alertId: 41, chatId: 1, severity: 'critical' } as const
    const picture = alertPicture(twins, kinds, risk, { to: 1, whose: null, now: NOON })
    expect(picture).toEqual(subjectPicture(twins, kinds, { personId: 1, subject }, NOON))
    return picture?.wallet
  }
  expect([behind('1'), behind('9')]).toEqual(['main …1', 'main …9'])
})

test('alerts that began before its time are no marks, nor are those about another position', () => {
  const [position] = held
  const [own] = aView().firing(1)
  if (!position || !own) throw new Error('nothing is held, or nothing fires')
  const others = { ...own, since: NOON - 90_000, subject: { ...own.subject, accountId: '2' } as SubjectId }
  const all = [own, { ...own, since: NOON - 7 * HOUR_MS }, others]
  const shown = { position, market: aMarket(), symbol: 'ETH', wallet: 'main', seenAt: NOON - 50_000 }
  const times = { now: NOON, spanMs: 6 * HOUR_MS, priceAt: NOON, positionAt: NOON }
  const { marks, old } = positionPicture(aView({ firing: () => all }), kinds, 1, shown, times)
  expect(marks).toEqual([{ at: own.since, severity: 'critical' }])
  // The last answer lacked it: it is as old as the one that had it.
  expect(old).toEqual({ what: 'position', ms: 50_000 })
})
