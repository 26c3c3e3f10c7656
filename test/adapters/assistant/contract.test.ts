import { hash } from 'node:crypto'

import type { Glance, Holdings } from '../../../src/chat/holdings.ts'
import type { Identity } from '../../../src/message/address.ts'
import { testHoldings } from '../../contracts/holdings.ts'
import { asked, type Assistant } from './asked.ts'

const LACKING = ['follow', 'course', 'ask'] as const satisfies readonly (keyof Holdings)[]

// The tool `positions` says everything that a glance says, under names that mark what people have named.
testHoldings(
  'an assistant',
  async ({ simulated }) => {
    const world = await asked({ platforms: ['red'], settings: { access: 'open' }, simulated })
    const tokens = new Map<string, string>()
    const assistants = new Map<string, Assistant>()

    async function as(who: string): Promise<Identity> {
      const known = [...tokens].find(([, name]) => name === who)?.[0]
      if (known !== undefined) return { platform: 'assistant', user: known }
      const token = who === 'stranger' ? 'perch_of-nobody-at-all-whatever' : await world.token('claude', who)
      const user = hash('sha256', token)
      tokens.set(user, who)
      if (who !== 'stranger') assistants.set(user, await world.connects(token))
      return { platform: 'assistant', user }
    }
    return {
      bot: world.bot,
      as,
      holdings: {
        async glance({ user }) {
          const answer = await assistants.get(user)?.calls('positions')
          return answer === undefined ? null : glanceIn(answer.data)
        },
        follow: { lacks: 'an assistant asks when its person asks' },
        course: { lacks: 'an assistant draws nothing' },
        ask: { lacks: 'each tool asks for one command, and nothing else is asked' },
      },
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    }
  },
  LACKING,
)

/** The glance that this answer was made of. */
function glanceIn(data: Record<string, unknown>): Glance {
  const { positionsInAll: _all, firingInAll: _also, ...parts } = data
  return read(parts) as Glance
}

const TIMES = new Set(['at', 'readAt', 'since', 'until'])
const NAMES: Record<string, string> = {
  ...{ walletLabel: 'wallet', aboutLabel: 'about', byLabel: 'by', whyLabel: 'why' },
}

function read(value: unknown, within = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => read(one, within))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => {
    if (name === 'alert') return ['alertId', Number(String(part).slice(1))]
    if (within === 'wallets' && name === 'walletLabel') return ['label', part]
    if (within === 'blind' && name === 'label') return ['what', part]
    const isTime = TIMES.has(name) && typeof part === 'string'
    return [NAMES[name] ?? name, isTime ? Date.parse(part) : read(part, name)]
  })
  const all = Object.fromEntries(entries)
  return within === 'heed' && all['is'] === 'waiting' ? { is: 'waiting' } : all
}
