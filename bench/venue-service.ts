import { answer } from '../src/venues/sim/api.ts'
import { planFor } from '../src/venues/sim/plan.ts'
import { traderOwner } from '../src/venues/sim/traders.ts'
import { createWorld } from '../src/venues/sim/world.ts'
import { costOf, heapMb, say } from './support/figures.ts'
import { row } from './support/rows.ts'

// The simulated venue with very many owners: how soon it is there, what it holds, and how many positions it can serve.
// `npm run bench -- venue-service 100000`.

const OWNERS = Number(process.argv[2] ?? 100_000)
const ASKED = Math.min(OWNERS, 5_000)

const before = heapMb()
const start = { seed: 1, stepSeconds: 20, startSeconds: 1_750_000_000 }
let world = createWorld(planFor(), start)
const built = await costOf(() => void (world = createWorld(planFor({ owners: OWNERS }), start)))
const many = OWNERS.toLocaleString('en')
row(`the simulated venue with ${many} owners is there`, built.cpuMs / 1_000, 's', null, '')
row(`the simulated venue with ${many} owners holds`, heapMb() - before, 'MB', null, '')

let positions = 0
const served = await costOf(() => {
  for (let index = 0; index < ASKED; index++) {
    const query = new URLSearchParams({ owner: traderOwner(index), ownershipType: 'SuperOwner' })
    const asked = { method: 'GET', path: '/positions/v2', query, body: '', key: null, from: '' }
    const { body } = answer({ exchange: world.exchange, unix: (seconds) => seconds }, asked)
    positions += JSON.stringify(body).split('"liquidationPrice"').length - 1
  }
})
const perSecond = (positions * 1_000) / served.cpuMs
row(
  'positions that it answers with',
  perSecond,
  'a second',
  null,
  `${ASKED} wallets, without their way through HTTP`,
)
say(`${positions} positions`)
