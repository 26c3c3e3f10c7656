import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, CLAIM_CODE, startBot } from '../support/bot.ts'

const NEXT = 'https://t.me/PerchTwoBot'
const [olga, pat, ron, sue] = ['olga', 'pat', 'ron', 'sue'].map((user) => ({ platform: 'red', user }))

async function cell(
  fullAt: number,
  settings: { access?: 'claim' | 'open'; maxPeople?: number } = {},
): Promise<BotUnderTest> {
  const bot = await startBot({
    platforms: ['red'],
    settings: { ...settings, nextCell: { fullAt, url: NEXT } },
  })
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  return bot
}

const codeIn = (answer: string) => /\/start (\S+)/.exec(answer)?.[1]

describe('/invite of a full Perch', () => {
  test('names the next one, and says what a backup person needs', async () => {
    await using bot = await cell(2)
    const code = codeIn(await bot.says('/invite', olga))
    expect(await bot.says(`/start ${code}`, pat)).toContain('Paste a wallet address')
    expect(await bot.says('/invite', olga)).toBe(
      [
        'This Perch is full: 2 places taken. The next one:',
        `  ${NEXT}`,
        '  A backup person must be in the same Perch. CELL_FULL_AT can be raised for one.',
        `[Open the next one: ${NEXT}]`,
      ].join('\n'),
    )
  })

  test('is announced: the operator reads in /status full how many places are taken', async () => {
    await using bot = await cell(10)
    const code = codeIn(await bot.says('/invite', olga))
    await bot.says('/invite', olga)
    await bot.says(`/start ${code}`, pat)
    expect(await bot.says('/status full', olga)).toContain('3 of 10 places taken')
    expect(await bot.says('/status full', pat)).not.toContain('places taken')
  })

  test('counts invitations that are still open: each is a promise, and is kept', async () => {
    await using bot = await cell(3)
    const [first, second] = [await bot.says('/invite', olga), await bot.says('/invite', olga)].map(codeIn)
    expect(await bot.says('/invite', olga)).toContain('3 places taken')
    expect(await bot.says(`/start ${first}`, pat)).toContain('Paste a wallet address')
    expect(await bot.says('/invite', olga)).toContain('3 places taken')
    expect(await bot.says(`/start ${second}`, ron)).toContain('Paste a wallet address')
  })

  test('gives the last place to one of two invitations that are asked for at the same time', async () => {
    await using bot = await cell(2)
    const answers = await Promise.all([
      bot.says('/invite', olga),
      bot.says('/invite', { platform: 'red', user: 'olga' }),
    ])
    expect(answers.filter((one) => codeIn(one) !== undefined)).toHaveLength(1)
  })

  test('has a place again once an invitation has expired, or somebody has left', async () => {
    await using bot = await cell(2)
    await bot.says('/invite 2h', olga)
    expect(codeIn(await bot.says('/invite', olga))).toBeUndefined()
    await bot.pass(2 * 3_600_000)
    const code = codeIn(await bot.says('/invite', olga))
    await bot.says(`/start ${code}`, pat)
    expect(codeIn(await bot.says('/invite', olga))).toBeUndefined()
    await bot.says('/forget', pat)
    await bot.says('/forget yes', pat)
    expect(codeIn(await bot.says('/invite', olga))).toBeDefined()
  })

  test('honours a code that was made before the Perch was full', async () => {
    await using bot = await cell(2, { access: 'open' })
    const code = codeIn(await bot.says('/invite 7d', olga))
    expect(await bot.says(`/watch ${ALICE}`, pat)).toContain('This Perch is full')
    expect(await bot.says(`/start ${code}`, ron)).toContain('Paste a wallet address')
  })
})

describe('a newcomer to an open Perch that is full', () => {
  test.each([
    ['because of CELL_FULL_AT', { fullAt: 2, maxPeople: 100 }],
    ['because of MAX_PEOPLE', { fullAt: 100, maxPeople: 2 }],
  ])('reads where the next one is, once in a while, %s', async (_why, { fullAt, maxPeople }) => {
    await using bot = await cell(fullAt, { access: 'open', maxPeople })
    expect(await bot.says(`/watch ${ALICE}`, pat)).toContain('✓ Watching')
    expect(await bot.says('/start', ron)).toBe(
      [
        'This Perch is full. You’re welcome at the next one:',
        `  ${NEXT}`,
        `[Open the next one: ${NEXT}]`,
      ].join('\n'),
    )
    expect(await bot.says('/help', ron)).toBe('')
    expect(await bot.says(`/watch ${ALICE}`, sue)).toContain(NEXT)
    // Those who are here stay.
    expect(await bot.says('/wallets', pat)).toContain(ALICE.slice(0, 6))
  })

  test('does not take the last place beside another one who writes at the same time', async () => {
    await using bot = await cell(2, { access: 'open' })
    const answers = await Promise.all([pat, ron, sue].map((who) => bot.says(`/watch ${ALICE}`, who)))
    expect(answers.filter((one) => one.includes('✓ Watching'))).toHaveLength(1)
    expect(answers.filter((one) => one.includes(NEXT))).toHaveLength(2)
  })
})

test('a Perch by invitation tells strangers nothing of the next one', async () => {
  await using bot = await cell(1)
  expect(await bot.says('/start', pat)).toContain('This Perch is private')
})
