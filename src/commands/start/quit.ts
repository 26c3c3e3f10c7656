import { z } from 'zod'

import { command } from '../../command/command.ts'
import { say } from '../../message/message.ts'

/** Ends the bot. */
export default command({
  name: 'quit',
  aliases: ['exit'],
  summary: 'Stop Perch and its alerts',
  examples: ['/quit'],
  who: 'local',
  args: z.object({}),
  run({ quit }) {
    quit()
    return say('Bye. While I am off, nobody warns you.')
  },
})
