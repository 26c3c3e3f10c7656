import { z } from 'zod'

import { command } from '../../command/command.ts'
import { say, words } from '../../message/message.ts'
import { releaseLines, restful } from '../shared/suppression-lines.ts'

/** Ends every mute. */
export default command({
  name: 'unmute',
  summary: words('menu.unmute'),
  examples: ['/unmute'],
  audience: 'bound',
  args: z.object({}),
  async run(context) {
    const chatIds = restful(context)
    if (chatIds.every((id) => context.view.mutes(id).length === 0)) return say(words('unmute.none'))
    await context.change({ is: 'unmute', chatIds })
    return say(words('unmute.done'), ...releaseLines(context))
  },
})
