import { test } from 'vitest'

import { linkedStory, type Other } from '../adapters/discord/linked.ts'
import { startTelegram } from '../support/telegram/telegram.ts'

test('one person on Telegram and on Discord hears on the preferred one, and on the other when it is gone', async () => {
  await using telegram = await startTelegram()
  const env = { TELEGRAM_API_ROOT: telegram.root, TELEGRAM_BOT_TOKEN: telegram.token }
  await linkedStory({ ...env, ADAPTERS: 'discord,telegram' }, (living): Other => {
    const ann = telegram.user('Ann')
    const texts = () => telegram.ledger.texts(ann)
    let claimed = false
    const says = async (line: string): Promise<string> => {
      const before = texts().length
      ann.says(line)
      // The first text after the line itself that the bot said.
      const answer = () =>
        texts()
          .slice(before)
          .find((text) => text !== line)
      await telegram.until(() => answer() !== undefined)
      return answer() ?? ''
    }
    return {
      name: 'telegram',
      async says(line) {
        if (!claimed) {
          claimed = true
          await says(`/start ${await living.code()}`)
        }
        return says(line)
      },
      hears: (words) => telegram.until(() => texts().some((text) => text.includes(words))),
      count: (words) => texts().filter((text) => text.includes(words)).length,
      goes: () => ann.blocks(),
    }
  })
})
