import { expect, test } from 'vitest'

import { createNtfy } from '../../../adapters/ntfy/ntfy.ts'
import { createPictureGate } from '../../../adapters/ntfy/picture.ts'
import type { Send } from '../../../src/chat/notifier.ts'
import { message } from '../../../src/message/message.ts'
import type { Picture } from '../../../src/message/picture.ts'
import { handClock } from '../../support/clock.ts'
import { PNG } from '../../support/pictures.ts'
import { error, startNtfy } from '../../support/places/ntfy.ts'

const NEVER = new AbortController().signal
const TOPIC = 'perch-x7Qm29'
const HOUR_MS = 60 * 60_000

async function told() {
  const clock = handClock()
  const server = await startNtfy(clock, 'tk_abcdefghijklmnopqrstuvwxyz012')
  const ntfy = createNtfy({
    ...{ server: server.origin, token: null, call: 'yes', clock, egress: server.egress, linkFor: null },
    isOperators: () => true,
  })
  const to = { platform: 'ntfy', chat: `${server.origin}/${TOPIC}`, thread: null }
  const usual = { key: 'perch-7', alertIds: [], silent: true, plain: false, possibleRepeat: false }
  const send = (picture: Uint8Array | null, rest: Partial<Send> = {}) =>
    ntfy.deliver(
      {
        ...{ ...usual, replyTo: null, mention: null, to },
        message: picture
          ? message([], { picture: pictureOf('BTC long · main: 2.4% away.') })
          : message([], { footnote: 'words' }),
        ...(picture && { picture }),
        ...rest,
      },
      NEVER,
    )
  return { clock, server, send, [Symbol.asyncDispose]: () => server.close() }
}

function pictureOf(words: string): Picture<string> {
  return {
    ...{ is: 'market', market: '100', symbol: 'BTC', since: 0, until: 1, price: 1 },
    ...{ priceName: 'index', ratePerDay: 0, words },
  }
}

test('a picture is an attachment that makes no sound, with its words beside it', async () => {
  await using world = await told()
  world.server.keepsFiles(2_000_000)
  expect(await world.send(PNG)).toMatchObject({ is: 'sent' })
  const [shown] = world.server.published(TOPIC)
  expect(shown).toMatchObject({
    ...{ title: '', message: 'BTC long · main: 2.4% away.', priority: 2, call: null, actions: [] },
    attachment: { name: 'picture.png', bytes: PNG.length, type: 'image/png' },
  })
  expect(await world.send(PNG, { possibleRepeat: true })).toMatchObject({ is: 'sent' })
  expect(world.server.published(TOPIC)[1]?.message).toContain('possible repeat')
})

test('words of any length and in any script fit into the header', async () => {
  await using world = await told()
  world.server.keepsFiles(2_000_000)
  const long = message([], { picture: pictureOf(`שלום 🚀 ${'ü'.repeat(5_000)}`) })
  expect(await world.send(PNG, { message: long })).toMatchObject({ is: 'sent' })
  expect(world.server.published(TOPIC)[0]?.message).toMatch(/^שלום 🚀 ü+$/)
})

test.each([
  ['keeps no files', 400, 40_014],
  ['finds it too large', 413, 41_301],
  ['has used up its bandwidth of the day', 429, 42_905],
  ['knows no address of its own', 500, 50_003],
])('a server that %s gets words alone for six hours', async (_what, status, code) => {
  await using world = await told()
  world.server.keepsFiles(2_000_000)
  world.server.fault({ is: 'reply', reply: error(status, code, 'no') })
  expect(await world.send(PNG)).toMatchObject({ is: 'rejected' })
  expect(await world.send(PNG)).toMatchObject({ is: 'rejected' })
  expect(world.server.asked).toHaveLength(1)
  expect(await world.send(null)).toMatchObject({ is: 'sent' })
  await world.clock.advance(6 * HOUR_MS)
  expect(await world.send(PNG)).toMatchObject({ is: 'sent' })
})

test('an upload that breaks off may have arrived, and words go on', async () => {
  await using world = await told()
  world.server.keepsFiles(2_000_000)
  world.server.fault({ is: 'taken-then-reset' })
  expect(await world.send(PNG)).toMatchObject({ is: 'delayed', maybeSent: true, scope: 'chat' })
  world.server.fault({ is: 'reply', reply: { status: 200, body: '<html>Log in</html>' } })
  expect(await world.send(PNG)).toMatchObject({ is: 'rejected' })
  expect(await world.send(null)).toMatchObject({ is: 'sent' })
})

test('ntfy.sh takes thirty pictures a day: its other messages are for words', () => {
  const gate = createPictureGate('https://ntfy.sh')
  const at = (hour: number, server = 'https://ntfy.sh') => gate.refusal(server, hour * HOUR_MS)
  for (let number = 0; number < 30; number += 1) expect(at(0)).toBeNull()
  expect(at(1)).toContain('kept for words')
  expect(at(1, 'https://ntfy.example')).toBeNull()
  expect(at(24.1)).toBeNull()
})
