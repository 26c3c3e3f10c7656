import { startBot } from '../support/bot.ts'
import { testHoldings } from './holdings.ts'

// The port itself, over the whole bot.
testHoldings('the port', async ({ simulated }) => {
  const bot = await startBot({ platforms: ['red'], settings: { access: 'open' }, simulated })
  const port = () => {
    const recorder = bot.platforms.get('red')
    if (!recorder) throw new Error('the platform is gone')
    return recorder.bot()
  }
  return {
    bot,
    as: async (who) => ({ platform: 'red', user: who }),
    // A restart puts another bot behind the platform.
    holdings: {
      glance: (...asked) => port().glance(...asked),
      follow: (...asked) => port().follow(...asked),
      course: (...asked) => port().course(...asked),
      ask: (...asked) => port().ask(...asked),
    },
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
})
