import { errorText } from '../../../src/lib/text/error-text.ts'
import type { AccountHandle } from './account.ts'
import { decimal } from './decimals.ts'
import { FAULT_KINDS, type FaultKind } from './faults.ts'
import { liquidationPrice } from './figures.ts'
import type { Hyperliquid } from './server.ts'

export const HELP = `  BTC 60000           moves a mark price; BTC -3% moves it by so much
  buy BTC 0.5 [20]    the wallet trades, at this leverage; sell does the other
  wallet 0x…          another wallet; deposit 1000 [dex] gives it money
  show                what the wallet holds
  delist ATOM         settles and delists a market
  silence [type]      push tells nothing more; speak ends it; cut breaks every socket
  fault error 5 [type] [dex]   the next five requests fail; also ${FAULT_KINDS.join(', ')}
  calm                ends the faults
  quit                ends it`

const DEFAULT_WALLET = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const DEFAULT_USD = 10_000
const DEFAULT_LEVERAGE = 10

interface Prompt {
  readonly wallet: string
  /** False when it asks to end. */
  line(typed: string): boolean
}

export function createPrompt(venue: Hyperliquid, say: (line: string) => void): Prompt {
  let wallet = venue.account(DEFAULT_WALLET, { usd: DEFAULT_USD })
  wallet.trades('BTC', 0.5, { leverage: DEFAULT_LEVERAGE })

  const run = (command: string, args: string[]): string | undefined => {
    switch (command) {
      case 'help':
        return HELP
      case 'wallet':
        wallet = venue.account(args[0] ?? '')
        return undefined
      case 'deposit':
        wallet.deposits(number(args[0]), args[1])
        return undefined
      case 'buy':
      case 'sell': {
        const size = number(args[1]) * (command === 'buy' ? 1 : -1)
        wallet.trades(args[0] ?? '', size, args[2] ? { leverage: number(args[2]) } : {})
        return shown(venue, wallet)
      }
      case 'show':
        return shown(venue, wallet)
      case 'delist':
        venue.delists(args[0] ?? '')
        return undefined
      case 'silence':
        venue.push.silence(args[0] ? { type: args[0] } : {})
        return undefined
      case 'speak':
        venue.push.speak()
        return undefined
      case 'cut':
        venue.push.cut()
        return undefined
      case 'fault':
        return fault(args)
      case 'calm':
        venue.clearFaults()
        return undefined
      default:
        return moved(command, args[0])
    }
  }
  const fault = ([kind = '', times, type, dex]: string[]): string | undefined => {
    if (!FAULT_KINDS.includes(kind as FaultKind)) return `a fault is one of ${FAULT_KINDS.join(', ')}`
    venue.fault({
      kind: kind as FaultKind,
      times: times ? number(times) : 1,
      ...(type ? { type } : {}),
      ...(dex ? { dex } : {}),
    })
    return undefined
  }
  const moved = (coin: string, to: string | undefined): string => {
    if (to === undefined) return `there is no "${coin}"; help says what there is`
    const market = venue.market(coin)
    const mark = to.endsWith('%') ? market.mark * (1 + number(to.slice(0, -1)) / 100) : number(to)
    venue.moves({ [coin]: mark })
    return `${coin} is at ${decimal(market.mark)}\n${shown(venue, wallet)}`
  }
  return {
    wallet: wallet.address,
    line(typed) {
      const [command = '', ...args] = typed.trim().split(/\s+/)
      if (command === 'quit') return false
      if (command === '') return true
      try {
        const answer = run(command, args)
        if (answer !== undefined) say(answer)
      } catch (error) {
        say(errorText(error))
      }
      return true
    },
  }
}

function number(said: string | undefined): number {
  const value = Number(said ?? '')
  if (said === undefined || said === '' || !Number.isFinite(value))
    throw new Error(`${said ?? 'nothing'} is no number`)
  return value
}

function shown(venue: Hyperliquid, { address, state }: AccountHandle): string {
  const lines = state.holdings.map((held) => {
    const at = liquidationPrice(venue.world, state, held)
    const { market, szi } = held
    return `  ${market.name} ${decimal(szi)} at ${decimal(market.mark)}, liquidated at ${at === null ? 'no price' : decimal(at, 4)}`
  })
  return [`${address} holds${lines.length === 0 ? ' nothing' : ''}`, ...lines].join('\n')
}
