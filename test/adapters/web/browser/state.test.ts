import { assert, boolean, constantFrom, property, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'

import { readFragment } from '../../../../adapters/web/page/fragment.ts'
import { arranged, news } from '../../../../adapters/web/page/state.ts'
import type { Glance, StandingAlert } from '../../../../src/chat/holdings.ts'

const keys = uniqueArray(constantFrom('a', 'b', 'c', 'd', 'e', 'f'))

test('positions stand by their nearness, and while somebody taps no card moves', () => {
  assert(
    property(keys, keys, boolean(), (before, now, isBusy) => {
      const order = arranged(before, now, isBusy)
      expect(order.toSorted()).toEqual(now.toSorted())
      if (!isBusy) expect(order).toEqual(now)
      else {
        const kept = before.filter((key) => now.includes(key))
        expect(order.slice(0, kept.length)).toEqual(kept)
      }
    }),
  )
})

const alert = (alertId: number, more: Partial<StandingAlert> = {}): StandingAlert => ({
  ...{
    alertId,
    kind: 'liquidation-distance',
    severity: 'critical',
    subject: 'p',
    about: `BTC short ${alertId}`,
  },
  ...{ since: 1, heed: { is: 'waiting' } },
  ...more,
})

const glance = (...firing: StandingAlert[]): Glance => ({
  ...{ at: 1, simulated: false, reader: { zone: 'UTC', language: 'en', numbers: '1,234.5' } },
  ...{
    prices: { at: 1, staleMs: 1_000 },
    wallets: [],
    positions: [],
    firing,
    pending: [],
    blind: [],
    failure: null,
  },
})

const seen: Partial<StandingAlert> = { heed: { is: 'acknowledged', by: 'anna', until: null } }

test.each([
  ['nothing at the first look', null, glance(alert(1)), []],
  ['a new critical alert', glance(), glance(alert(1)), ['critical 1']],
  [
    'a warning that has become critical',
    glance(alert(1, { severity: 'warning' })),
    glance(alert(1)),
    ['critical 1'],
  ],
  ['no warning', glance(), glance(alert(1, { severity: 'warning' })), []],
  ['an acknowledgement', glance(alert(1)), glance(alert(1, seen)), ['acknowledged 1']],
  ['an acknowledgement once', glance(alert(1, seen)), glance(alert(1, seen)), []],
  ['the end', glance(alert(1), alert(2)), glance(alert(2)), ['over 1']],
])('a screen reader is told of %s', (_what, before, after, said) => {
  expect(news(before, after).map(({ is, alert: { alertId } }) => `${is} ${alertId}`)).toEqual(said)
})

const nothing = { part: 'positions', code: null, initData: null, isRefused: false }

test.each([
  ['', nothing],
  ['K7QF-3MZB-TN4W', { ...nothing, code: 'K7QF-3MZB-TN4W' }],
  ['history', { ...nothing, part: 'history' }],
  ['refused=unknown', { ...nothing, isRefused: true }],
  ['tgWebAppData=user%3D1%26hash%3Dab&tgWebAppVersion=9', { ...nothing, initData: 'user=1&hash=ab' }],
  ['<img src=x>', nothing],
])('the words behind the # are read: %s', (words, read) => {
  expect(readFragment(words)).toEqual(read)
})
