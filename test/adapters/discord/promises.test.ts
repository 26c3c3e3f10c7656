import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ALICE, BOB, CLAIM_CODE } from '../../support/bot.ts'
import { type DiscordBot, startDiscordBot } from '../../support/discord/bot.ts'
import type { Channel } from '../../support/discord/channels.ts'
import type { Guild } from '../../support/discord/handles.ts'
import type { Person } from '../../support/discord/people.ts'

let bot: DiscordBot
let guild: Guild
let lobby: Channel
let olga: Person

beforeAll(async () => {
  bot = await startDiscordBot(() => ({ access: 'open' }))
  guild = bot.discord.guild('Home')
  lobby = guild.channel('lobby')
  olga = guild.member('olga', { manageServer: true })
  bot.stage.market('BTC', { price: 130, funding: 0.0002 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  bot.stage.positions(BOB, [{ symbol: 'BTC', size: 1, entry: 120, liquidation: 60 }])
  await bot.online()
  await bot.says(olga, `/start code:${CLAIM_CODE}`, lobby)
})
afterAll(() => bot[Symbol.asyncDispose]())

const says = (who: Person, line: string, where: { id: string } = lobby) => bot.says(who, line, where)

describe('/watch', () => {
  test('says that direct messages are closed instead of promising warnings there', async () => {
    const fred = guild.member('fred')
    fred.closesMessages()
    const answer = await says(fred, `/watch address:${ALICE} label:main`)
    expect(answer).toContain('✓ Watching main')
    expect(answer).toContain('I can’t write there: direct messages from Perch are closed')
  })

  test('also when the command came from those very direct messages', async () => {
    const gina = guild.member('gina')
    gina.closesMessages()
    expect(await says(gina, `/watch address:${ALICE} label:main`, gina.dm)).toContain('I can’t write there')
  })

  test('promises nothing new while they stay closed, and heals when they are opened', async () => {
    const hans = guild.member('hans')
    hans.closesMessages()
    await says(hans, `/watch address:${ALICE} label:main`)
    await bot.pass(61_000)
    expect(await says(hans, `/watch address:${BOB} label:other`)).toContain('I can’t write there')
    hans.closesMessages(false)
    await bot.pass(61_000)
    await says(hans, '/wallets')
    await bot.until(() => hans.dm.shows('Test: alerts reach'), 'the test arrives')
    expect(await says(hans, '/status')).not.toContain('I cannot write')
  })

  test('shows once that warnings arrive, before it says so', async () => {
    const ida = guild.member('ida')
    const answer = await says(ida, `/watch address:${ALICE} label:main`)
    expect(answer).not.toContain('cannot write')
    expect(ida.dm.shows('Test: alerts reach')).toBeDefined()
    await says(ida, `/watch address:${BOB} label:other`)
    await bot.pass(2_000)
    expect(ida.dm.messages()).toHaveLength(1)
  })
})

describe('/channel', () => {
  test('bind from elsewhere claims no test where Perch may not post', async () => {
    const closed = guild.channel('closed', { permissions: { send: false } })
    const answer = await says(olga, '/channel bind chat:closed')
    expect(answer).toContain('#closed is bound')
    expect(answer).not.toContain('I have sent a test')
    expect(answer).toContain('I can’t write there: Perch may not post there')
    closed.permits({ send: true })
    await bot.pass(61_000)
    expect(await says(olga, '/channel test chat:closed')).toMatch(/I have sent a test to .*closed/)
    expect(closed.shows('Test: alerts reach')).toBeDefined()
    await says(olga, '/channel unbind chat:closed')
  })

  test('bind names the right that Perch lacks there', async () => {
    const bare = guild.channel('bare', { permissions: { embed: false } })
    expect(await says(olga, '/channel bind', bare)).toContain('I lack Embed Links there.')
    bare.permits({ send: false })
    expect(await says(olga, '/channel bind', bare)).toContain('I lack Send Messages, Embed Links there.')
    expect(await says(olga, '/channel list')).not.toContain('bare')
    bare.permits({ send: true, embed: true })
    expect(await says(olga, '/channel bind', bare)).toContain('#bare is bound')
    await says(olga, '/channel unbind', bare)
  })

  test('a member who taps Remove on a rule of the channel reads whose it is', async () => {
    const place = guild.channel('rules')
    await says(olga, '/channel bind', place)
    await says(olga, '/alert funding-flip market:BTC', place)
    const lena = guild.member('lena')
    const answer = await bot.answered(lena.taps('Remove', place))
    expect(answer).toMatch(/R\d+ belongs to #rules: only its administrators can remove it/)
    await says(olga, '/channel unbind sure:yes', place)
  })

  test('bind says that a test was sent when it was', async () => {
    const open = guild.channel('open')
    expect(await says(olga, '/channel bind chat:open')).toContain('#open is bound: I have sent a test there')
    expect(open.shows('Test: alerts reach')).toBeDefined()
    await says(olga, '/channel unbind', open)
  })

  test.each<[what: string, role: () => { id: string }, why: RegExp]>([
    [
      'a role that nobody may mention',
      () => guild.role('quiet', { mentionable: false }),
      /can’t mention the role quiet/,
    ],
    ['@everyone', () => ({ id: guild.id }), /can’t call \\?@everyone/],
  ])('bind refuses a mention that calls nobody: %s', async (_what, role, why) => {
    const desk = guild.channel('desk', { permissions: { mentionEveryone: false } })
    const bind = () => bot.answered(olga.runs('/channel bind', { mention: role() }, desk))
    expect(await bind()).toMatch(why)
    expect(await says(olga, '/channel list')).not.toContain('desk')
  })

  test('bind takes one that Perch may call because it may mention everyone', async () => {
    const desk = guild.channel('desk', { permissions: { mentionEveryone: true } })
    const mention = guild.role('quiet', { mentionable: false })
    expect(await bot.answered(olga.runs('/channel bind', { mention }, desk))).toContain('The role you named')
    await says(olga, '/channel unbind', desk)
  })

  test('a test says what is in the way', async () => {
    const slow = guild.channel('slow')
    await says(olga, '/channel bind', slow)
    bot.discord.fault({ route: `POST /channels/${slow.id}/messages`, kind: 'status', times: 4 })
    const answer = await says(olga, '/channel test', slow)
    expect(answer).toContain('not through yet: Discord answers 500')
    await bot.until(
      () => slow.messages().filter(({ origin }) => origin === 'post').length === 2,
      'it has got through',
    )
    await says(olga, '/channel unbind', slow)
  })

  test('unbinds a channel that was deleted, also when several are bound', async () => {
    const [one, two] = [guild.channel('one'), guild.channel('two')]
    await says(olga, '/channel bind', one)
    await says(olga, '/channel bind', two)
    one.remove()
    expect(await says(olga, '/channel unbind')).toContain('Which one?')
    expect(await bot.answered(olga.taps('#one', lobby))).toContain('#one is not bound any more')
    expect(await says(olga, '/channel list')).not.toContain('#one')
    await says(olga, '/channel unbind', two)
  })
})

test('/help names nothing that only a terminal has', async () => {
  expect(await says(olga, '/help')).not.toContain('/quit')
  const offered = await olga.types('/help', 'command', 'qu', {}, lobby).choices()
  expect(offered.map(({ value }) => value)).not.toContain('quit')
})

test('Discord is out of reach until it was reached', () => {
  const said = bot.events.flatMap((event) => (event.is === 'platform' ? [event.why] : []))
  expect(said).toEqual(['it has not been reached yet', null])
})

describe('in a channel that is bound', () => {
  test('a member who may not configure it keeps their own alerts, and sees them alone', async () => {
    const desk = guild.channel('open desk')
    const kim = guild.member('kim')
    await says(olga, '/channel bind', desk)
    await says(olga, '/alert funding-flip market:BTC', desk)
    await says(kim, `/watch address:${ALICE} label:main`, desk)
    const asked = kim.runs('/alerts', {}, desk)
    const answer = await bot.answered(asked)
    expect(answer).toContain('for every market in main')
    expect(answer).not.toContain('for BTC')
    expect(asked.answered()?.visibleTo?.id).toBe(kim.id)
    await says(olga, '/channel unbind sure:yes', desk)
  })
})

describe('with ACCESS=open', () => {
  test('a newcomer is at home in a guild as well', async () => {
    const nina = guild.member('nina')
    expect(await says(nina, '/wallets')).not.toContain('private')
  })
})
