import { expect, test } from 'vitest'

import { readZone, typedZone } from '../../../src/commands/you/zones.ts'

/** 12:00 UTC in winter. */
const NOW = Date.UTC(2026, 0, 15, 12)
const choices = (typed: string) => {
  const read = readZone(typed, NOW)
  return read.is === 'which' ? read.zones.map(({ label, typed: line }) => [label, line]) : read
}

test.each([
  ['Berlin', 'Europe/Berlin'],
  ['new york', 'America/New_York'],
  ['UTC+2', '+02:00'],
  ['utc-5', '-05:00'],
  ['+5:30', '+05:30'],
  ['+0545', '+05:45'],
  ['UTC', 'UTC'],
  ['JST', 'Asia/Tokyo'],
])('%s is one zone', (typed, zone) => expect(readZone(typed, NOW)).toEqual({ is: 'zone', zone }))

test.each([
  [
    'EST',
    [
      ['New York 07:00', 'America/New_York'],
      ['UTC-5 07:00', 'UTC-5'],
    ],
  ],
  [
    'CET',
    [
      ['Berlin 13:00', 'Europe/Berlin'],
      ['UTC+1 13:00', 'UTC+1'],
    ],
  ],
  [
    'PST',
    [
      ['Los Angeles 04:00', 'America/Los_Angeles'],
      ['UTC-8 04:00', 'UTC-8'],
    ],
  ],
  [
    'CST',
    [
      ['Chicago 06:00', 'America/Chicago'],
      ['Shanghai 20:00', 'Asia/Shanghai'],
    ],
  ],
])('%s is asked about, with the clock of each zone', (typed, zones) => expect(choices(typed)).toEqual(zones))

test.each(['GMT+3', 'Etc/GMT+3'])('the sign of %s is never turned silently: both are offered', (typed) =>
  expect(choices(typed)).toEqual([
    ['UTC+3 15:00', 'UTC+3'],
    ['UTC-3 09:00', 'UTC-3'],
  ]),
)

test('each that is offered is read without a further question', () => {
  for (const typed of ['EST', 'IST', 'GMT+3', 'bst', 'Etc/GMT-12']) {
    const read = readZone(typed, NOW)
    if (read.is !== 'which') throw new Error(`${typed} is no question`)
    for (const { zone, typed: line } of read.zones) expect(readZone(line, NOW)).toEqual({ is: 'zone', zone })
  }
})

test('a stored zone is typed so that it is the same again', () => {
  for (const zone of ['Europe/Berlin', 'UTC', '+05:30', '-03:00']) {
    expect(readZone(typedZone(zone), NOW)).toEqual({ is: 'zone', zone })
  }
  // IANA counts these the other way round.
  expect(readZone(typedZone('Etc/GMT-3'), NOW)).toEqual({ is: 'zone', zone: '+03:00' })
})

test('what is no zone has the nearest city', () => {
  expect(readZone('berlinn', NOW)).toEqual({ is: 'none', near: 'Europe/Berlin' })
  expect(readZone('GMT+40', NOW)).toEqual({ is: 'none', near: null })
})
