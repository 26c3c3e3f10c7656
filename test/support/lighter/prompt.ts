import { errorText } from '../../../src/lib/text/error-text.ts'
import type { AccountHandle } from './account.ts'
import { FAULT_KINDS, type FaultKind } from './faults.ts'
import { crossOf, liquidationPrice } from './figures.ts'
import type { Lighter } from './server.ts'

export const HELP = `  ETH 3400                moves a mark price; ETH -3% moves it by so much
  buy ETH 2 [20] [isolated]   the account trades, at this leverage; sell does the other
  close ETH [1]           closes all of it, or so much
  liquidate ETH           the venue takes the position, whatever its margin
  deposit 1000            gives the account money; a negative number takes it
  sub [1000]              a new sub-account of the same address, which the next lines are about
  account 1077            the next lines are about this account
  wallet 0x…              another address, and its main account
  fund ETH [0.01]         an hour's funding is paid, at this rate in per cent
  show                    what the address holds
  fault error 5 [path]    the next five requests fail; also ${FAULT_KINDS.join(', ')}
  outage                  requests fail and sockets break until calm; silence, speak and cut are about sockets alone
  calm                    ends the faults
  limits                  what was used of each limit, and which were broken
  quit                    ends it`

const DEFAULT_WALLET = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const DEFAULT_USD = 10_000

interface Prompt {
  readonly wallet: string
  /** False when it asks to end. */
  line(typed: string): boolean
}

export function createPrompt(venue: Lighter, say: (line: string) => void): Prompt {
  let account = venue.account(DEFAULT_WALLET, DEFAULT_USD)
  let all = [account]
  account.trades('ETH', 5, { leverage: 20 })

  const show = () => all.map((one) => shown(one, one === account)).join('\n')
  const trade = (size: number, symbol: string, more: string[]) => {
    const leverage = more.find((one) => one !== 'isolated')
    account.trades(symbol, size, {
      ...(leverage === undefined ? {} : { leverage: number(leverage) }),
      ...(more.includes('isolated') ? { margin: 'isolated' } : {}),
    })
    return show()
  }
  const choose = (index: string) => {
    const found = all.find((one) => String(one.index) === index)
    if (!found)
      throw new Error(`there is no account ${index}; there are ${all.map((one) => one.index).join(', ')}`)
    account = found
    return show()
  }
  const commands: Readonly<Record<string, (...args: string[]) => string | void>> = {
    help: () => HELP,
    buy: (symbol = '', size, ...more) => trade(number(size), symbol, more),
    sell: (symbol = '', size, ...more) => trade(-number(size), symbol, more),
    close(symbol = '', size) {
      account.closes(symbol, size === undefined ? undefined : number(size))
      return show()
    },
    liquidate(symbol = '') {
      account.closes(symbol, undefined, { kind: 'liquidation' })
      return show()
    },
    deposit(usd) {
      account.deposits(number(usd))
      return show()
    },
    sub(usd) {
      account = account.sub(usd === undefined ? 0 : number(usd))
      all.push(account)
      return show()
    },
    account: (index = '') => choose(index),
    wallet(address = '') {
      account = venue.account(address)
      all = [account]
      return show()
    },
    fund(symbol = '', rate) {
      venue.funds(symbol, rate === undefined ? undefined : number(rate))
      return show()
    },
    show,
    fault(kind = '', times, path) {
      if (!FAULT_KINDS.includes(kind as FaultKind)) return `a fault is one of ${FAULT_KINDS.join(', ')}`
      venue.fault({
        kind: kind as FaultKind,
        times: times === undefined ? 1 : number(times),
        ...(path === undefined ? {} : { path }),
      })
      return undefined
    },
    outage() {
      venue.fault({ kind: 'unavailable', times: Infinity })
      venue.push.refuse()
      venue.push.cut()
      return undefined
    },
    silence: () => venue.push.silence('all'),
    speak: () => venue.push.speak(),
    cut: () => venue.push.cut(),
    calm() {
      venue.clearFaults()
      venue.push.refuse(false)
      venue.push.speak()
      return undefined
    },
    limits: () =>
      Object.entries(venue.most)
        .map(([limit, most]) => `  ${limit} ${most}`)
        .concat(`  broken: ${venue.broken.join(', ') || 'none'}`)
        .join('\n'),
  }
  const moved = (symbol: string, to: string | undefined): string => {
    if (to === undefined) return `there is no "${symbol}"; help says what there is`
    const market = venue.market(symbol)
    const mark = to.endsWith('%') ? market.mark * (1 + number(to.slice(0, -1)) / 100) : number(to)
    venue.moves({ [symbol]: mark })
    return `${symbol} is at ${market.mark}\n${show()}`
  }
  return {
    wallet: account.address,
    line(typed) {
      const [command = '', ...args] = typed.trim().split(/\s+/)
      if (command === 'quit') return false
      if (command === '') return true
      try {
        const known = Object.hasOwn(commands, command) ? commands[command] : undefined
        const answer = known ? known(...args) : moved(command, args[0])
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

function shown({ index, state }: AccountHandle, isMeant: boolean): string {
  const lines = [...state.positions.values()].flatMap((held) => {
    const { market, size, isolated } = held
    if (size === 0) return []
    const at = liquidationPrice(state, held)
    const mode = isolated ? ' isolated' : ''
    return `    ${market.symbol} ${size}${mode} at ${market.mark}, liquidated at ${at === null ? 'no price' : at.toFixed(4)}`
  })
  const { equity } = crossOf(state)
  return [`  ${isMeant ? '*' : ' '} account ${index}: ${equity.toFixed(2)} USD`, ...lines].join('\n')
}
