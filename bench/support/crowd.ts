import { hash } from 'node:crypto'

import type { Address } from '../../src/message/address.ts'
import type { Store, Write } from '../../src/store/store.ts'
import type { Position } from '../../src/venue/position.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { createDice } from '../../test/support/seed.ts'

/** The platform that takes everything at once. */
export const INSTANT = 'instant'
export const MARKETS = 50
/** What every market costs before anything moves. */
export const PRICE = 100

/** People with a chat and a wallet each. */
export interface Crowd {
  people: number
  /** Of each wallet, in as many markets. */
  positions: number
  /** One rule for all of a wallet's positions, or one for each of them. */
  rules: 'one' | 'each'
  /** How far positions are from liquidation, as fractions of the price: such a share of them lies between these two. */
  away: readonly { share: number; from: number; to: number }[]
  sides: 'both' | 'long'
  /** Where they are told: the platform that takes everything at once, unless said. */
  platform?: string
  /** Each person has a page that is signed in. */
  pages?: true
  /** Those whose first market has an odd number want no pictures. */
  pictures?: 'half'
}

const TIERS = [0.2, 0.1, 0.05, 0.025]
const PER_COMMIT = 5_000

/** What the cookie of a person's page holds. */
export function pageSecretOf(person: number): string {
  return String(person).padStart(43, 'p')
}

export function walletOf(person: number): Wallet {
  return `0x${person.toString(16).padStart(40, '0')}`
}

/** The same for the same person, whoever asks. */
export function positionsOf(person: number, { positions, away, sides }: Crowd): Position[] {
  const { next } = createDice(person)
  return Array.from({ length: positions }, (_, place): Position => {
    const long = sides === 'long' || next() < 0.5
    return {
      wallet: walletOf(person),
      accountId: String(120_000_000_000_000_000_000_000_000_000_007_000_000n + BigInt(person)),
      marketId: marketIn(person, place),
      size: fixed(long ? 2 : -2),
      entryPrice: fixed(PRICE),
      liquidationPrice: fixed(PRICE * (1 - (long ? 1 : -1) * awayBy(away, next))),
      margin: null,
      leverage: null,
      fundingUsd: null,
      breakEvenPrice: null,
      realisedPnlUsd: null,
      openedAt: null,
    }
  })
}

function awayBy(away: Crowd['away'], random: () => number): number {
  let left = random()
  for (const { share, from, to } of away) {
    if (left < share) return from + (to - from) * random()
    left -= share
  }
  throw new Error('the shares of a crowd are one together')
}

/** Writes down the people, their chats, wallets and rules: what a start finds. */
export async function settle(store: Store, crowd: Crowd): Promise<void> {
  let writes: Write[] = []
  for (let person = 1; person <= crowd.people; person++) {
    writes.push(...writesOf(person, crowd))
    if (writes.length < PER_COMMIT) continue
    await store.memory.commit(writes)
    writes = []
  }
  await store.memory.commit(writes)
}

function* writesOf(person: number, crowd: Crowd): Iterable<Write> {
  const address: Address = { platform: crowd.platform ?? INSTANT, chat: `c${person}`, thread: null }
  const wallet = walletOf(person)
  const wantsPictures = crowd.pictures !== 'half' || Number(marketIn(person, 0)) % 2 === 0
  yield {
    is: 'person',
    person: {
      ...{
        id: person,
        operator: person === 1,
        zone: 'UTC',
        numbers: '1,234.5',
        language: null,
        spoken: null,
        detail: 'short',
        pictures: wantsPictures ? 'on' : 'off',
        theme: 'dark',
        preset: null,
        identities: [],
      },
      ...{ defaultChat: person, fallbackChat: null, escalateFrom: 3, steps: [] },
    },
  }
  yield {
    is: 'chat',
    chat: {
      ...{ id: person, address, title: null, personId: person, private: true, mention: null },
      ...{
        brokenBecause: null,
        quiet: null,
        digest: null,
        weekly: null,
        pin: null,
        acksBy: 'known' as const,
      },
    },
  }
  if (crowd.pages) {
    const user = hash('sha256', pageSecretOf(person))
    const one = { id: person, personId: person, is: 'page', user, name: 'bench', via: 'code' } as const
    yield { is: 'session', session: { ...one, since: 0, until: Number.MAX_SAFE_INTEGER } }
  }
  yield { is: 'watch', watch: { wallet, personId: person, label: 'main', since: 0, as: 'own' } }
  const positions = positionsOf(person, crowd)
  const ids = positions.map(({ marketId }) => marketId)
  const prices = Object.fromEntries(ids.map((id) => [id, PRICE]))
  const symbols = Object.fromEntries(ids.map((id) => [id, `M${id}`]))
  yield {
    is: 'wallet',
    memory: { wallet, at: 0, positions, prices, symbols, gone: [], touchedLiquidation: {} },
  }
  const many = crowd.rules === 'one' ? 1 : crowd.positions
  for (let place = 0; place < many; place++) {
    const id = marketIn(person, place)
    yield {
      is: 'rule',
      rule: {
        ...{ id: (person - 1) * many + place + 1, personId: person, chatId: person, wallet: null },
        ...{ kind: 'liquidation-distance', params: { tiers: TIERS }, identity: '', armedByWatch: true },
        ...{ market: crowd.rules === 'one' ? null : { id, symbol: `M${id}` }, holdMs: 0 },
      },
    }
  }
}

function marketIn(person: number, place: number): string {
  return String((person * 7 + place) % MARKETS)
}

/** The body of `GET /markets` at these prices. */
export function marketsBody(prices: readonly number[]): string {
  const markets = prices.map((price, id) => ({
    ...{ marketId: String(id), symbol: `M${id}`, price: String(price) },
    ...{ currentFundingRate: '500000000000000', currentFundingVelocity: '0', tradesCount24h: 100 },
    ...{ skew: '0', currentOI: '1000000000000000000', longOI: '500000000000000000' },
    ...{ makerFeeRatio: '0', takerFeeRatio: '500000000000000', tradesVolume24h: '0' },
  }))
  return JSON.stringify({ data: [{ chainId: 8008, markets }] })
}

function fixed(value: number): bigint {
  return BigInt(Math.round(value * 1e9)) * 10n ** 9n
}
