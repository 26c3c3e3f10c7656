import type { Wallet } from '../src/venue/wallet.ts'
import { readMarkets } from '../src/venues/perps-data/wire/markets.ts'
import { titleOf } from '../test/support/engine.ts'
import { type Crowd, MARKETS, marketsBody, PRICE } from './support/crowd.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'
import { turned } from './support/turned.ts'

// Many healthy wallets, and a budget that cannot read them as often as wished: who is told that we cannot see? The real
// engine and pollers under a clock that is turned. `node bench/unseen.ts [wallets] [minutes]`

const [, , wallets = '5000', minutes = '15'] = process.argv
const PER_SECOND = 20

const crowd: Crowd = {
  ...{ people: Number(wallets), positions: 1, rules: 'one', sides: 'both' },
  away: [{ share: 1, from: 0.25, to: 0.8 }],
}
const told: string[] = []
const body = JSON.parse(marketsBody(Array.from({ length: MARKETS }, () => PRICE))) as unknown
const { clock, calls, start, end } = await turned({
  crowd,
  perSecond: PER_SECOND,
  markets: () => readMarkets(body, 8008),
  watched: (store) => ({
    ...store,
    memory: {
      ...store.memory,
      async commit(writes, sending) {
        const departed = await store.memory.commit(writes, sending)
        for (const write of writes)
          if (write.is === 'send') told.push(...write.row.message.items.map(titleOf))
        return departed
      },
    },
  }),
})
start()
await clock.advance(Number(minutes) * 60_000)
const unseen = told.filter((title) => title.includes('can’t see')).length
const ages: number[] = []
const last = new Map<Wallet, number>()
for (const { wallet, mono } of calls) {
  if (wallet === null) continue
  const before = last.get(wallet)
  if (before !== undefined) ages.push((mono - before) / 1_000)
  last.set(wallet, mono)
}
row(
  `“I can’t see” told about ${Number(wallets).toLocaleString('en')} healthy wallets in ${minutes} min at ${PER_SECOND} requests a second`,
  unseen,
  '',
  { atMost: 0 },
  `each read every ${at(ages, 0.5).toFixed(0)} s, at most ${at(ages, 1).toFixed(0)} s; ${told.length} messages in all`,
)
await end()
