import { z } from 'zod'

import { command } from '../../command/command.ts'
import { say, words } from '../../message/message.ts'

/** Ends the bot. */
export default command({
  name: 'quit',
  aliases: ['exit'],
  summary: words('menu.quit'),
  examples: ['/quit'],
  who: 'local',
  args: z.object({}),
  run({ quit }) {
    quit()
    return say(words('quit.bye'))
  },
})
