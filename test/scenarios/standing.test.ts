import { expect, test } from 'vitest'

import type { Standing } from '../../src/runtime/standing.ts'
import { CLAIM_CODE, startBot } from '../support/bot.ts'

const [olga, pat] = ['olga', 'pat'].map((user) => ({ platform: 'red', user }))
const LEADS: Standing = {
  ...{ role: 'leader', name: 'vm-1', leader: 'vm-1', epoch: 3, behindSeconds: 0, why: null },
  standbys: [
    { name: 'vm-2', behindSeconds: 0.2 },
    { name: 'vm-3', behindSeconds: 90 },
  ],
}

async function cell(standing: Standing) {
  const bot = await startBot({
    ...{ platforms: ['red'], settings: { access: 'open' } },
    standing: () => standing,
  })
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  await bot.pass(120_000)
  return bot
}

test('the operator reads who leads, since when, and who could take over; nobody else does', async () => {
  await using bot = await cell(LEADS)
  const lines = ['vm-1 has led for 2 min', '  vm-2 can take over at once', '  vm-3 is 2 min behind']
  expect(await bot.says('/status full', olga)).toContain(lines.join('\n'))
  expect(await bot.says('/status', olga)).not.toContain('vm-')
  await bot.says('/start', pat)
  expect(await bot.says('/status full', pat)).not.toContain('vm-')
})

test('the operator reads at once that nobody could take over, in their language', async () => {
  await using bot = await cell({ ...LEADS, standbys: [] })
  const none = 'No standby: nobody takes over if this machine dies'
  expect(await bot.says('/status', olga)).toContain(none)
  expect(await bot.says('/status full', olga)).toContain(`vm-1 has led for 2 min\n  ${none}`)
  await bot.says('/settings language de', olga)
  expect(await bot.says('/status', olga)).toContain(
    'Kein Standby: fällt diese Maschine aus, übernimmt niemand',
  )
  await bot.says('/start', pat)
  expect(await bot.says('/status', pat)).not.toContain('tandby')
})

test('where one process has its file to itself, nobody reads of standbys', async () => {
  await using bot = await startBot({ platforms: ['red'] })
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  for (const line of ['/status', '/status full'])
    expect(await bot.says(line, olga)).not.toMatch(/standby| led for /i)
})
