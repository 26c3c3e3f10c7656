import { z } from 'zod'

import { command, isAtTerminal } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type Button, item, message, type Message, say, words } from '../../message/message.ts'
import { PAGE_CODE_LIVES_MS } from '../../people/session.ts'

/** Opens a person's page in a browser, by a one-time code in the fragment: no server and no log sees that part. */
export default command({
  name: 'page',
  summary: words('menu.page'),
  examples: ['/page'],
  reach: 'chat',
  args: z.object({}),
  async run(context) {
    const { from, person, page, change, newCode, reader, commands } = context
    if (page === null) return say(words('pages.open.off'), words('pages.open.off.how'))
    const code = newCode()
    const expiresAt = reader.now + PAGE_CODE_LIVES_MS
    const { repeated } = await change({
      ...{ is: 'code', code, for: 'page', personId: person.id, expiresAt },
      // A stranger may send somebody such a link: the page says whose it is. “You” of the terminal is nobody elsewhere.
      ...(isAtTerminal(commands) ? {} : { name: from.name }),
    })
    // Answered again after a crash: the code that counts is the one of the first answer.
    if (repeated) return say(words('pages.open.repeated'))
    return page.isPublic ? linked(context, page.url, code) : printed(page.url, code)
  },
})

/** Buttons that open it: inside of the chat's own app, where the platform knows the person without a code, or in a browser. */
function linked({ from }: Context, url: string, code: string): Message {
  const open = (
    key: 'pages.open.button.here' | 'pages.open.button.browser',
    address: string,
    app: boolean,
  ): Button => ({
    ...{ label: words(key), line: '/page', replace: false, opens: { url: address, app } },
  })
  const isApp = from.private && url.startsWith('https:')
  return message(
    [item('plain', words('pages.open.title'), [words('pages.open.once'), words('pages.open.care')])],
    {
      buttons: [
        ...(isApp ? [open('pages.open.button.here', `${url}/page`, true)] : []),
        open('pages.open.button.browser', `${url}/page#${code}`, false),
      ],
    },
  )
}

/** Only a browser on this machine reaches it, and no platform opens such an address. */
function printed(url: string, code: string): Message {
  return say(
    words('pages.open.title'),
    [{ code: `${url}/page#${code}` }],
    words('pages.open.once'),
    words('pages.open.local'),
  )
}
