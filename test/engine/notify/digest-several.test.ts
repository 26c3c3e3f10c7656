import { expect, test } from 'vitest'

import { plainText } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { ALICE, aMarket, aPosition, aRule, aWatch, exact } from '../../support/fixtures.ts'
import { type Running, startEngine } from '../../support/running.ts'

const venue = 'lighter'
const names = ['hyperliquid', venue]
const MINUTE = 12 * 60 + 1
const here = () => aMarket({ price: exact('2700') })
const far = () => aMarket({ id: 'lighter/1', symbol: 'lighter:ETH', dex: venue, price: exact('2700') })
const there = aPosition({ accountId: 'lighter/28', marketId: 'lighter/1' })

/** Both venues are seen, with these positions; the digest is due a minute after the start. */
async function started(...positions: (typeof there)[]): Promise<Running> {
  const running = await startEngine(
    { rules: [aRule({ wallet: ALICE })], watches: [aWatch({ label: 'main' })] },
    { venues: names },
  )
  await running.prices(here())
  await running.pricesAt(venue, far())
  await running.reads(positions.filter((one) => one !== there))
  await running.reads(
    positions.filter((one) => one === there),
    { venue },
  )
  await running.change({ is: 'digest', chatId: 1, minute: MINUTE })
  running.kept()
  return running
}

/** The lines of the digests since the last look. */
function digestsOf(running: Running): string[] {
  return running
    .kept()
    .flatMap((write) =>
      write.is === 'send' && write.row.reason === 'digest'
        ? write.row.message.items.flatMap(({ title, lines }) =>
            [title, ...lines].map((line) => plainText(line, { now: NOON, zone: 'UTC' })),
          )
        : [],
    )
}

async function passes(running: Running, seconds: number, ...seen: (string | undefined)[]): Promise<void> {
  for (let second = 0; second < seconds; second++)
    if (seen.length === 0) await running.clock.advance(1_000)
    else for (const one of seen) await running.pricesAt(one, ...(one === undefined ? [here()] : [far()]))
}

test.each([
  [venue, [undefined], [aPosition(), there], ['I can’t see prices of lighter now']],
  ['hyperliquid', [venue], [aPosition(), there], ['I can’t see prices of hyperliquid now']],
  [`${venue}, where nothing is held,`, [undefined], [aPosition()], []],
  [`${venue}, where all is held,`, [undefined], [there], ['I can’t see prices of lighter now']],
  ['nothing', [undefined, venue], [aPosition(), there], []],
  ['all', [], [aPosition(), there], ['I can’t see prices now']],
])('a digest without prices of %s says so', async (_which, seen, positions, lines) => {
  const running = await started(...positions)
  await passes(running, 62, ...seen)
  const digest = digestsOf(running)
  expect(digest.join('\n')).toContain(`${positions.length} open position`)
  expect(digest.filter((line) => line.includes('I can’t see prices'))).toEqual(lines)
})

test('a digest that is due at a start waits for the prices of each venue', async () => {
  const running = await started(aPosition(), there)
  await running.restart(120_000)
  await passes(running, 3, undefined)
  expect(digestsOf(running)).toEqual([])
  await passes(running, 3, venue)
  expect(digestsOf(running).join('\n')).toContain('2 open positions, PnL')
})

test('but for no longer than such a venue is likely to take', async () => {
  const running = await started(aPosition(), there)
  await running.restart(120_000)
  await passes(running, 11, undefined)
  expect(digestsOf(running)).toEqual([])
  await passes(running, 4, undefined)
  expect(digestsOf(running)).toContain('I can’t see prices of lighter now')
})
