import { expect, test } from 'vitest'

import { createApi, type Upload } from '../../../../adapters/telegram/send/api.ts'
import { withKnownFiles } from '../../../../adapters/telegram/send/known-files.ts'
import { handClock } from '../../../support/clock.ts'
import { PNG, padded } from '../../../support/pictures.ts'
import { startTelegram } from '../../../support/telegram/telegram.ts'

const LIMIT_MS = 10_000

async function world() {
  const clock = handClock()
  const telegram = await startTelegram({ clock })
  clock.restsWhen(() => telegram.idle())
  const ann = telegram.user('Ann')
  ann.says('/start')
  const { root, token } = telegram
  const api = withKnownFiles(createApi({ root, token, clock }))
  const upload = (content: Uint8Array<ArrayBuffer>, field: Upload['field']): Upload => ({
    ...{ field, name: 'picture.png', type: 'image/png', content },
  })
  const send = (content: Uint8Array<ArrayBuffer>, field: Upload['field'] = 'photo', caption = '') =>
    api.call(
      field === 'photo' ? 'sendPhoto' : 'sendDocument',
      { chat_id: ann.id, caption },
      LIMIT_MS,
      undefined,
      upload(content, field),
    )
  /** By their ids, or null for those that came as a file. */
  const ids = () =>
    telegram.asked
      .filter(({ method }) => method.startsWith('send'))
      .map(({ args }) => args['photo'] ?? args['document'] ?? null)
  return { telegram, send, ids, [Symbol.asyncDispose]: () => telegram[Symbol.asyncDispose]() }
}

test('the same picture is uploaded once, and sent by its id with its own words', async () => {
  await using it = await world()
  await it.send(PNG, 'photo', 'first')
  expect(await it.send(PNG, 'photo', 'second')).toMatchObject({ is: 'answered', status: 200 })
  await it.send(padded(100))
  await it.send(PNG, 'document')
  await it.send(PNG, 'document')
  const [first, second, ...others] = it.ids()
  expect([first, typeof second]).toEqual([null, 'string'])
  expect(others.map((id) => typeof id)).toEqual(['object', 'object', 'string'])
  expect(it.telegram.ledger.sends.map(({ text }) => text).slice(0, 2)).toEqual(['first', 'second'])
})

test('an id that Telegram does not know any more is forgotten, and the picture goes once', async () => {
  await using it = await world()
  await it.send(PNG)
  it.telegram.fault({
    ...{ method: 'sendPhoto', kind: 'json', status: 400 },
    description: 'Bad Request: wrong remote file identifier specified: Wrong string length',
  })
  expect(await it.send(PNG)).toMatchObject({ is: 'answered', status: 200 })
  expect(it.telegram.ledger.sends).toHaveLength(2)
  expect(it.ids().map((id) => typeof id)).toEqual(['object', 'string', 'object'])
})

test.each([500, 403])(
  'a refusal with %i is about no file, whatever it says: it is handed on',
  async (status) => {
    await using it = await world()
    await it.send(PNG)
    it.telegram.fault({ method: 'sendPhoto', kind: 'json', status, description: 'wrong file identifier' })
    expect(await it.send(PNG)).toMatchObject({ is: 'answered', status })
    expect(it.telegram.ledger.sends).toHaveLength(1)
  },
)
