import { type BotUnderTest, startBot } from '../bot.ts'
import { type SimUnderTest, startSim, SUGGESTED } from '../sim.ts'
import type { Chapter, Section } from './scene.ts'

/** By then the third wave is over, which takes the second long. */
const STORY_SECONDS = 90
const LOOK_SECONDS = 5

/** What the simulated venue makes of a crash, on the clock of the test: the same story on every machine. */
export const crash: Chapter = { title: 'A crash, message by message', sections: [told()] }

function told(): Section {
  let begun: { sim: SimUnderTest; bot: BotUnderTest } | null = null
  return {
    title: '`SIM_SCENARIO=crash npm start`',
    words:
      'A minute and a half of the wallet that the simulated venue suggests, by the time since `/watch`. It shows the first lines, and all lines about the end of a position.',
    async begin() {
      const sim = await startSim({ SIM_SCENARIO: 'crash' })
      const bot = await startBot({ sim })
      begun = { sim, bot }
      return bot
    },
    async play() {
      if (begun === null) throw new Error('it has not begun')
      const { bot, sim } = begun
      await using _venue = sim
      await bot.says(`/watch ${SUGGESTED} demo`)
      const lines: string[] = []
      for (let second = LOOK_SECONDS; second <= STORY_SECONDS; second += LOOK_SECONDS) {
        await bot.pass(LOOK_SECONDS * 1_000)
        const said = bot.hears().flatMap(shortened)
        if (said.length > 0) lines.push(`${Math.floor(second / 60)}:${String(second % 60).padStart(2, '0')}`)
        lines.push(...said)
      }
      return [lines.join('\n')]
    },
  }
}

/** Its titles, and what follows those that tell an end; no buttons. */
function shortened(message: string): string[] {
  let isEnd = false
  return message.split('\n').filter((line) => {
    const isTitle = line.startsWith('[')
    if (isTitle) isEnd = line.includes(' was ')
    return isTitle || (isEnd && /^ {2}[^[]/.test(line))
  })
}
