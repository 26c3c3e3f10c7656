import { afterAll, describe, expect, test } from 'vitest'

import { refusedAs, startBot } from './client.ts'
import { startDiscord } from './server.ts'

const discord = await startDiscord()
const bot = await startBot(discord)
afterAll(async () => {
  await bot[Symbol.asyncDispose]()
  await discord.stop()
})

const long = (length: number) => 'x'.repeat(length)
const button = (more: object = {}) => ({ type: 2, style: 1, label: 'Go', custom_id: 'go', ...more })
const row = (...buttons: object[]) => ({ content: 'x', components: [{ type: 1, components: buttons }] })
const embed = (embed: object) => ({ embeds: [embed] })

describe('Discord refuses a message', () => {
  test.each<[what: string, body: object, as: string]>([
    ['of 2001 characters', { content: long(2001) }, 'content[BASE_TYPE_MAX_LENGTH]'],
    ['without anything', {}, '50006'],
    ['of nothing but blanks', { content: ' \n ' }, '50006'],
    ['with an empty embed', embed({ color: 1 }), '50006'],
    ['with buttons only', { ...row(button()), content: '' }, '50006'],
    ['with a number for content', { content: 5 }, 'content[STRING_TYPE_CONVERT]'],
    ['with a field that it does not know', { content: 'x', embed: {} }, 'embed[STAND_IN_UNKNOWN_FIELD]'],
    [
      'with 11 embeds',
      { embeds: Array.from({ length: 11 }, () => ({ title: 'x' })) },
      'embeds[BASE_TYPE_MAX_LENGTH]',
    ],
    ['with a long title', embed({ title: long(257) }), 'embeds[0].title[BASE_TYPE_MAX_LENGTH]'],
    [
      'with a long description',
      embed({ description: long(4097) }),
      'embeds[0].description[BASE_TYPE_MAX_LENGTH]',
    ],
    [
      'with a long footer',
      embed({ footer: { text: long(2049) } }),
      'embeds[0].footer.text[BASE_TYPE_MAX_LENGTH]',
    ],
    [
      'with 26 fields',
      embed({ fields: Array.from({ length: 26 }, () => ({ name: 'a', value: 'b' })) }),
      'embeds[0].fields[BASE_TYPE_MAX_LENGTH]',
    ],
    [
      'with a field without a value',
      embed({ fields: [{ name: 'a' }] }),
      'embeds[0].fields[0].value[BASE_TYPE_REQUIRED]',
    ],
    [
      'with a field of blanks',
      embed({ fields: [{ name: ' ', value: 'b' }] }),
      'embeds[0].fields[0].name[BASE_TYPE_REQUIRED]',
    ],
    [
      'with a long field',
      embed({ fields: [{ name: long(257), value: long(1025) }] }),
      'embeds[0].fields[0].value[BASE_TYPE_MAX_LENGTH]',
    ],
    [
      'with a colour that is none',
      embed({ title: 'x', color: 0x1_00_00_00 }),
      'embeds[0].color[NUMBER_TYPE_MAX]',
    ],
    ['with a time that is none', embed({ title: 'x', timestamp: 'soon' }), 'timestamp[DATE_TIME_TYPE_PARSE]'],
    [
      'with a link that is none',
      embed({ title: 'x', url: 'nowhere' }),
      'embeds[0].url[URL_TYPE_INVALID_URL]',
    ],
    [
      'with embeds of 6001 characters together',
      { embeds: [{ description: long(4096) }, { description: long(1905) }] },
      'embeds[MAX_EMBED_SIZE_EXCEEDED]: Embed size exceeds maximum size of 6000',
    ],
    [
      'with six buttons in a row',
      row(...Array.from({ length: 6 }, (_, n) => button({ custom_id: `${n}` }))),
      'components[0].components[BASE_TYPE_BAD_LENGTH]: Must be between 1 and 5 in length.',
    ],
    [
      'with six rows',
      {
        content: 'x',
        components: Array.from({ length: 6 }, (_, n) => row(button({ custom_id: `${n}` })).components[0]),
      },
      'components[BASE_TYPE_MAX_LENGTH]',
    ],
    ['with an empty row', row(), 'components[0].components[BASE_TYPE_BAD_LENGTH]'],
    [
      'with a long label',
      row(button({ label: long(81) })),
      'components[0].components[0].label[BASE_TYPE_MAX_LENGTH]',
    ],
    ['with no label', row(button({ label: '' })), 'label[BASE_TYPE_REQUIRED]'],
    ['with a custom id of 101', row(button({ custom_id: long(101) })), 'custom_id[BASE_TYPE_BAD_LENGTH]'],
    ['with an empty custom id', row(button({ custom_id: '' })), 'custom_id[BASE_TYPE_BAD_LENGTH]'],
    [
      'with the same custom id twice',
      row(button(), button()),
      'components[0].components[1].custom_id[COMPONENT_CUSTOM_ID_DUPLICATED]',
    ],
    ['with a link without an address', row({ type: 2, style: 5, label: 'x' }), 'url[BASE_TYPE_REQUIRED]'],
    ['with a nonce of 26', { content: 'x', nonce: long(26) }, 'nonce[BASE_TYPE_MAX_LENGTH]'],
    ['that is ephemeral', { content: 'x', flags: 64 }, 'flags[MESSAGE_FLAGS_INVALID]'],
    [
      'that mentions in two ways',
      { content: 'x', allowed_mentions: { parse: ['roles'], roles: ['123456789012345678'] } },
      'allowed_mentions[MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE]',
    ],
    [
      'that answers nothing',
      { content: 'x', message_reference: { message_id: '123456789012345678' } },
      'message_reference[REPLIES_UNKNOWN_MESSAGE]: Unknown message',
    ],
  ])('%s', async (_what, body, as) => {
    const channel = discord.guild('Traders').channel('strict')
    expect(await refusedAs(bot.post(channel, body))).toContain(as)
    expect(channel.messages()).toEqual([])
  })
})

describe('Discord takes a message', () => {
  test.each<[what: string, body: object]>([
    ['of 2000 characters', { content: long(2000) }],
    [
      'with embeds of 6000 characters',
      { embeds: [{ description: long(4096) }, { description: long(1904) }] },
    ],
    [
      'with 25 buttons',
      {
        content: 'x',
        components: Array.from({ length: 5 }, (_, n) => ({
          type: 1,
          components: Array.from({ length: 5 }, (_, m) => button({ custom_id: `${n}${m}${long(98)}` })),
        })),
      },
    ],
    ['with a link', row({ type: 2, style: 5, label: 'See', url: 'https://example.org' })],
    [
      'without a sound, with a nonce',
      { content: 'x', flags: 4096, nonce: long(25), allowed_mentions: { parse: [] } },
    ],
  ])('%s', async (_what, body) => {
    const channel = discord.guild('Traders').channel('generous')
    await expect(bot.post(channel, body)).resolves.toMatchObject({ id: expect.any(String) as string })
  })
})
