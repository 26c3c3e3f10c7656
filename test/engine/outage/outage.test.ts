import { describe, expect, test } from 'vitest'

import type { Snapshot } from '../../../src/store/snapshot.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import {
  aChat,
  aDraft,
  ALICE,
  aMarket,
  aPerson,
  aPosition,
  aRule,
  aWatch,
  exact,
} from '../../support/fixtures.ts'
import { startEngine } from '../../support/running.ts'

const PEOPLE = 450
const ids = Array.from({ length: PEOPLE }, (_, place) => place + 1)
/** All of them watch one wallet, each from a chat of their own; the first has a channel beside it, without a rule. */
const CHANNEL = 900
const crowd: Partial<Snapshot> = {
  persons: ids.map((id) => aPerson({ id, identities: [], operator: id === 1, defaultChat: id })),
  chats: [...ids.map((id) => aChat({ id, personId: id })), aChat({ id: CHANNEL, private: false })],
  watches: ids.map((personId) => aWatch({ personId })),
  rules: ids.map((id) => aRule({ id, personId: id, chatId: id, wallet: ALICE, params: { tiers: [0.18] } })),
}
const FAR = aMarket({ price: exact('3000') })
const draft = aDraft({ params: { tiers: [0.18] }, wallet: ALICE })
type Running = Awaited<ReturnType<typeof startEngine>>

/** Prices and the wallet were seen. */
async function startCrowd(over: Partial<Snapshot> = {}): Promise<Running> {
  const running = await startEngine({ ...crowd, ...over })
  await running.prices(FAR)
  await running.reads([aPosition()])
  running.hears()
  return running
}
const chatsOf = (said: readonly string[]) =>
  said.map((line) => Number.parseInt(line, 10)).toSorted((a, b) => a - b)

describe('when the venue is out', () => {
  test('very many are told of it once each, and nothing more while it stays so', async () => {
    const running = await startCrowd()
    await running.clock.advance(20_000)
    const said = running.hears()
    expect(chatsOf(said)).toEqual(ids)
    expect(new Set(said.map((line) => line.replace(/^\d+: /, '')))).toEqual(
      new Set(['I can’t see the venue']),
    )
    await running.clock.advance(300_000)
    expect(running.hears()).toEqual([])
  })

  test('and so is its return, with how they stand now against what was last seen before it', async () => {
    const running = await startCrowd()
    await running.clock.advance(20_000)
    running.hears()
    running.kept()
    await running.prices(aMarket({ price: exact('2800') }))
    const said = running.hears()
    expect(chatsOf(said)).toEqual(ids)
    expect(said.every((line) => line.endsWith('I can see the venue again'))).toBe(true)
    const [row] = running.kept().flatMap((write) => (write.is === 'send' ? [write.row] : []))
    expect(JSON.stringify(row?.message)).toMatch(/0\.2857.*was .*0\.3333/s)
  })

  test('what crosses a line meanwhile is said in the same message as the return', async () => {
    const running = await startCrowd()
    await running.clock.advance(20_000)
    running.kept()
    await running.prices(aMarket({ price: exact('2200') }))
    const rows = running.kept().flatMap((write) => (write.is === 'send' ? [write.row] : []))
    expect(rows.map(({ chatId }) => chatId).toSorted((a, b) => a - b)).toEqual(ids)
    expect(rows.every(({ message }) => message.items.length === 2)).toBe(true)
  })

  test('who has a rule only since then hears of it, and nobody else once more', async () => {
    const running = await startCrowd()
    await running.clock.advance(60_000)
    running.hears()
    await running.change({ is: 'rule', personId: 1, chatId: CHANNEL, draft })
    await running.clock.advance(10_000)
    expect(running.hears()).toEqual([`${CHANNEL}: I can’t see the venue`])
    await running.clock.advance(60_000)
    expect(running.hears()).toEqual([])
  })

  test('whom it could not be told is told as soon as it can be', async () => {
    const running = await startCrowd()
    const isOf = (id: number) => (write: { is: string; row?: unknown }) =>
      write.is === 'source' && (write.row as { chatId: number }).chatId === id
    running.refuses((writes) => writes.some(isOf(300)))
    await running.clock.advance(60_000)
    expect(chatsOf(running.hears())).toEqual(ids.filter((id) => id !== 300))
    running.refuses(() => false)
    await running.clock.advance(5_000)
    expect(chatsOf(running.hears())).toEqual([300])
  })

  test('who is gone before their turn has come is not told, and disturbs nobody', async () => {
    const running = await startCrowd()
    const gone: Promise<unknown>[] = []
    running.refuses((writes) => {
      if (gone.length === 0 && writes.some(({ is }) => is === 'source'))
        gone.push(running.engine.change({ is: 'forget', personId: PEOPLE }, null))
      return false
    })
    await running.clock.advance(20_000)
    await Promise.all(gone)
    expect(chatsOf(running.hears())).toEqual(ids.slice(0, -1))
    expect(running.events.filter(({ is }) => is === 'turn-failed')).toEqual([])
  })
})

test('what somebody changes while very many are judged counts for their own', async () => {
  const running = await startCrowd()
  const changed: Promise<unknown>[] = []
  running.refuses(() => {
    if (changed.length === 0)
      changed.push(running.engine.change({ is: 'remove', personId: PEOPLE, ruleId: PEOPLE }, null))
    return false
  })
  await running.prices(aMarket({ price: exact('2200') }))
  await Promise.all(changed)
  expect(chatsOf(running.hears())).toEqual(ids.slice(0, -1))
})

describe('when the venue answers for no wallet', () => {
  const wallets = ids.slice(0, 10)
  const walletOf = (id: number): Wallet => `0x${String(id).padStart(40, '0')}`
  const each: Partial<Snapshot> = {
    ...crowd,
    watches: wallets.map((id) => aWatch({ personId: id, wallet: walletOf(id) })),
    rules: wallets.map((id) => aRule({ id, personId: id, chatId: id, wallet: walletOf(id) })),
  }
  /** Prices are seen all the time; of the wallets these are tried in vain, and the others wait for their turn. */
  async function fails(running: Running, tried: readonly number[], answers: readonly number[] = []) {
    for (let second = 0; second < 240; second++) {
      await running.prices(FAR)
      if (second % 60 !== 1) continue
      for (const id of tried)
        running.engine.failed({ is: 'wallet', wallet: walletOf(id) }, 'no answer in time')
      for (const id of answers)
        await running.reads([aPosition({ wallet: walletOf(id) })], { wallet: walletOf(id) })
    }
    return chatsOf(running.hears())
  }
  async function startEach(): Promise<Running> {
    const running = await startEngine(each)
    await running.prices(FAR)
    for (const id of wallets)
      await running.reads([aPosition({ wallet: walletOf(id) })], { wallet: walletOf(id) })
    running.hears()
    return running
  }

  test('those that wait for their turn are not seen either, and are told of as the others are', async () => {
    const running = await startEach()
    expect(await fails(running, wallets.slice(0, 8))).toEqual(wallets)
  })

  test('but while one is answered for, only those that fail are', async () => {
    const running = await startEach()
    expect(await fails(running, wallets.slice(0, 8), [9])).toEqual(wallets.slice(0, 8))
  })

  test('and when it is back after an outage of all, whose turn has yet to come is not told that it fails', async () => {
    const running = await startEach()
    for (let minute = 0; minute < 10; minute++) {
      for (const id of wallets)
        running.engine.failed({ is: 'wallet', wallet: walletOf(id) }, 'no answer in time')
      await running.clock.advance(60_000)
    }
    running.hears()
    for (let second = 0; second < 150; second++) await running.prices(FAR)
    expect(new Set(running.hears().map((line) => line.replace(/^\d+: /, '')))).toEqual(
      new Set(['I can see the venue again']),
    )
    // Looks at them go on failing.
    expect(await fails(running, wallets)).toEqual(wallets)
  })

  test('nor where a few fail', async () => {
    const running = await startEach()
    expect(await fails(running, wallets.slice(0, 7))).toEqual(wallets.slice(0, 7))
  })
})
