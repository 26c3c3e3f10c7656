import { expect } from 'vitest'

import { ALICE } from '../../support/bot.ts'
import { textOf } from '../../support/discord/readable.ts'
import { type Living, startLiving } from './living.ts'

/** The other platform on which the same person is. */
export interface Other {
  /** Its name, as `/settings chat` takes it. */
  name: string
  /** Says a line there; what is answered. */
  says(line: string): Promise<string>
  /** Resolves when an alert with these words is there. */
  hears(words: string): Promise<void>
  /** How many alerts with these words are there. */
  count(words: string): number
  /** Nothing arrives there any more; null where that cannot be. */
  goes: (() => void) | null
}

/**
 * One person on Discord and on another platform hears on the preferred one and, when it is gone, on the other. The real
 * program, both platforms' stand-ins. Whoever adds a platform calls this with it.
 */
export async function linkedStory(
  env: Record<string, string>,
  other: (living: Living) => Other,
): Promise<void> {
  await using living = await startLiving((stage) => {
    stage.market('BTC', { price: 130 })
    stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  }, env)
  const { discord, stage } = living
  const there = other(living)
  const olga = discord.user('olga')
  const says = async (line: string) => textOf(await olga.runs(line).answer())

  const code = /\/link ([A-Z0-9-]+)/.exec(await there.says('/link'))?.[1] ?? ''
  expect(await says(`/link code:${code}`)).toContain(`Are you ${there.name} user`)
  expect(await says(`/link code:${code} answer:yes`)).toContain('Now say yes there as well')
  await there.hears('Linking lets that account')
  expect(await there.says(`/link ${code} yes`)).toContain('You are the same person here and there')
  expect(await says(`/watch address:${ALICE} label:main`)).toContain('BTC long')
  expect(await says('/settings chat platform:discord')).toContain('Alerts reach you on discord now')
  expect(await says(`/settings fallback platform:${there.name}`)).toContain(`${there.name} is your backup`)

  stage.market('BTC', { price: 94 })
  const nearer = 'BTC long: 4.3% to liquidation'
  await olga.dm.gets(nearer)
  expect(there.count(nearer)).toBe(0)

  olga.closesMessages()
  stage.market('BTC', { price: 92 })
  await there.hears('BTC long: 2.2% to liquidation')
  await there.hears('I can’t write to')

  if (!there.goes) return
  // A command from the first one heals it, and takes over where the other one is gone.
  olga.closesMessages(false)
  await says('/status')
  await there.says('/status')
  expect(await says(`/settings chat platform:${there.name}`)).toContain(there.name)
  there.goes()
  stage.market('BTC', { price: 200 })
  await olga.dm.gets('BTC long is safe again')
}
