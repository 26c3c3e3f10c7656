import { assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { call } from './client.ts'
import { args } from './request.ts'
import { startTelegram } from './telegram.ts'
import { messageText } from './text.ts'

async function start() {
  const telegram = await startTelegram({ clock: handClock() })
  const ann = telegram.user('Ann')
  ann.says('/start')
  const send = (text: string, more: Record<string, unknown> = {}) =>
    call(telegram, 'sendMessage', { chat_id: ann.id, text, parse_mode: 'HTML', ...more })
  return { telegram, ann, send }
}

// what is sent | what the server says, behind "Bad Request: can't parse entities: "
const REFUSED = `
<x>a</x> | Unsupported start tag "x" at byte offset 0
é <div>a</div> | Unsupported start tag "div" at byte offset 3
1 < 2 | Unsupported start tag "" at byte offset 2
😀<b | Unclosed start tag at byte offset 4
<b | Unclosed start tag at byte offset 0
<b  | Empty attribute name in the tag "b" at byte offset 0
<a href="x | Unclosed start tag at byte offset 0
<a href= | Unclosed start tag "a" at byte offset 0
<a href=a/b>c</a> | Unexpected end of name token at byte offset 8
<a "x">c</a> | Empty attribute name in the tag "a" at byte offset 0
<b>a | Can't find end tag corresponding to start tag "b"
<b>a</b></i> | Unexpected end tag at byte offset 8
<b>a</i> | Unmatched end tag at byte offset 4, expected "</b>", found "</i>"
<b>a</b | Unclosed end tag at byte offset 4
<span>a</span> | Tag "span" must have class "tg-spoiler" at byte offset 0
<tg-emoji>a</tg-emoji> | Invalid custom emoji identifier specified
<tg-time unix="5" format="x">a</tg-time> | Invalid date format used
&#xd83d; | Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units`
  .slice(1)
  .split('\n')
  .map((line) => line.split(' | '))

test.each(REFUSED)('markup that cannot be read is refused: %s', async (text, why) => {
  const { telegram, send } = await start()
  await using _ = telegram
  const { status, refused } = await send(text ?? '')
  expect({ status, refused }).toEqual({ status: 400, refused: `Bad Request: can't parse entities: ${why}` })
})

// what is sent | what is seen | its entities: type offset length, in UTF-16 units
const SHOWN = `
<b>a</b> <strong>b</strong> | a b | bold 0 1, bold 2 1
<i>a</i><em>b</em><u>c</u><ins>d</ins> | abcd | italic 0 1, italic 1 1, underline 2 1, underline 3 1
<s>a</s><strike>b</strike><del>c</del> | abc | strikethrough 0 1, strikethrough 1 1, strikethrough 2 1
😀<b>é😀</b> | 😀é😀 | bold 2 3
<b>a<i>b</i></b> | ab | bold 0 2, italic 1 1
<code>a</code> <pre>b</pre> | a b | code 0 1, pre 2 1
<pre><code class="language-py">a</code></pre> | a | pre 0 1
<tg-spoiler>ab</tg-spoiler> <span class="tg-spoiler">c</span> | ▒▒ ▒ | spoiler 0 2, spoiler 3 1
<blockquote expandable>a</blockquote> | a | expandable_blockquote 0 1
<a href="https://a.example/?x=1&amp;y">a</a> | a | text_link 0 1
<a href="nowhere">a</a> | a | 
<tg-time unix="1768478400" format="t">noon</tg-time> | 12:00 | date_time 0 4
<tg-time unix="1768478400" format="wDT">noon</tg-time> | Thursday, 15 January 2026 at 12:00:00 | date_time 0 4
<tg-time unix="1768478100" format="r">noon</tg-time> | 5 minutes ago | date_time 0 4
<tg-time unix="1768478400">noon</tg-time> | noon | date_time 0 4
<B>a</B> &lt;&gt;&amp;&quot;&#65;&#x42; | a <>&"AB | bold 0 1
&nbsp; &copy &lt | &nbsp; &copy < | 
<b></b>a | a | `
  .slice(1)
  .split('\n')
  .map((line) => line.split(' | '))

test.each(SHOWN)('markup that can be read is shown: %s', async (text, seen, marks) => {
  const { telegram, ann, send } = await start()
  await using _ = telegram
  const { result } = await send(text ?? '')
  const entities: { type: string; offset: number; length: number }[] = result.entities ?? []
  expect(telegram.ledger.texts(ann.id)).toEqual([seen])
  expect(entities.map(({ type, offset, length }) => `${type} ${offset} ${length}`).join(', ')).toBe(marks)
})

describe('a text', () => {
  test.each([
    ['of 4096 code points fits, however many bytes', '😀'.repeat(4096), ''],
    ['of 4097 code points is too long', 'a'.repeat(4097), 'message is too long'],
    ['is measured after its markup is taken out', `<b>${'a'.repeat(4096)}</b>`, ''],
    ['of more than 32768 bytes is not even read', 'é'.repeat(16_385), 'text is too long'],
    ['must be there', '', 'message text is empty'],
    ['of spaces is none', ' \n ', 'text must be non-empty'],
    ['that nobody sees is none', '\u200b\u200f', 'text must be non-empty'],
    ['that is empty without its markup is none', '<b></b>', 'text must be non-empty'],
  ])('%s', async (_when, text, refused) => {
    const { telegram, send } = await start()
    await using _ = telegram
    expect((await send(text)).refused).toBe(refused && `Bad Request: ${refused}`)
  })

  test('is trimmed and cleaned, and its entities move along', async () => {
    const { telegram, ann, send } = await start()
    await using _ = telegram
    const { result } = await send(' \na\u202eb\t<b>c  </b>\n')
    expect(telegram.ledger.texts(ann.id)).toEqual(['ab c'])
    expect(result.entities).toEqual([{ type: 'bold', offset: 3, length: 1 }])
  })

  test('without a parse mode is taken as it is', async () => {
    const { telegram, ann, send } = await start()
    await using _ = telegram
    await send('1 < 2 & <b>', { parse_mode: '' })
    expect(telegram.ledger.texts(ann.id)).toEqual(['1 < 2 & <b>'])
    expect((await send('a', { parse_mode: 'text' })).refused).toBe('Bad Request: unsupported parse_mode')
  })

  test('that is half a character cannot be read at all', async () => {
    const { telegram, ann } = await start()
    await using _ = telegram
    const response = await fetch(`${telegram.root}/bot${telegram.token}/sendMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"chat_id":${ann.id},"text":"\\ud83d"}`,
    })
    expect([response.status, await response.text()]).toEqual([400, ''])
  })
})

describe('buttons', () => {
  const button = (fields: Record<string, unknown>) => ({
    reply_markup: { inline_keyboard: [[{ text: 'Go', ...fields }]] },
  })
  test.each([
    ['carry up to 64 bytes', button({ callback_data: 'é'.repeat(32) }), ''],
    ['carry no more', button({ callback_data: `${'é'.repeat(32)}a` }), 'BUTTON_DATA_INVALID'],
    [
      'carry something',
      button({ callback_data: '' }),
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    ],
    [
      'have a text',
      { reply_markup: { inline_keyboard: [[{ callback_data: 'a' }]] } },
      'can\'t parse inline keyboard button: Can\'t find field "text"',
    ],
    [
      'lead somewhere',
      button({ url: 'nowhere' }),
      "inline keyboard button URL 'nowhere' is invalid: Wrong HTTP URL",
    ],
    [
      'come in rows',
      { reply_markup: { inline_keyboard: [{ text: 'a', callback_data: 'a' }] } },
      'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
    ],
    ['are an object', { reply_markup: null }, 'object expected as reply markup'],
    ['are JSON', { reply_markup: '{' }, "can't parse reply keyboard markup JSON object"],
    [
      'are not too many',
      {
        reply_markup: {
          inline_keyboard: Array.from({ length: 101 }, () => [{ text: 'a', callback_data: 'a' }]),
        },
      },
      'reply markup is too long',
    ],
    [
      'have a colour that there is',
      button({ callback_data: 'a', style: 'pink' }),
      "can't parse inline keyboard button: invalid button style specified",
    ],
    ['may have more fields than the server knows', button({ callback_data: 'a', hide: false }), ''],
  ])('%s', async (_when, more, refused) => {
    const { telegram, send } = await start()
    await using _ = telegram
    expect((await send('Hear', more)).refused).toBe(refused && `Bad Request: ${refused}`)
  })
})

test('whatever text is escaped, it is read as what it was', () => {
  const texts = string({ unit: 'grapheme', minLength: 1 }).map((text) => `<&>"${text}&lt;/b>`)
  assert(
    property(texts, (text) => {
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      const read = (entries: [string, string][]) => messageText(args(new Map(entries)))
      const marked = read([
        ['text', `<b>${escaped}</b>`],
        ['parse_mode', 'HTML'],
      ])
      expect(marked.text).toBe(read([['text', text]]).text)
      expect(marked.entities).toEqual([{ type: 'bold', offset: 0, length: marked.text.length }])
    }),
    { numRuns: 1_000 },
  )
})
