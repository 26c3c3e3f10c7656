import { z } from 'zod'

const URL_WORDS = 'NTFY_URL is the address of an ntfy server, such as https://ntfy.sh, without a topic.'
const TOKEN = 'NTFY_TOKEN is an access token of the ntfy server: tk_ and 29 letters and digits.'
const CALL =
  'NTFY_CALL is a number that the ntfy account has verified, such as +12223334444, or yes for its first one.'

function isServer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password, pathname, hostname } = new URL(text)
  // Behind a proxy a server of one's own may live under a path. At the public one a path is a topic.
  return (
    !/[?#]/.test(text) &&
    `${username}${password}` === '' &&
    (hostname !== 'ntfy.sh' || /^\/*$/.test(pathname))
  )
}

/** As the address of a topic has it: the token goes where both are the same. */
function spelt(text: string): string {
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** The server for topics without one, and the credentials for it. */
export const schema = z.object({
  NTFY_URL: z
    .url({ protocol: /^https?$/, error: URL_WORDS })
    .default('https://ntfy.sh')
    .refine(isServer, URL_WORDS)
    .transform(spelt)
    .meta({ description: 'Server of topics that are named without an address. Opens ntfy.' }),
  NTFY_TOKEN: z
    .string()
    .trim()
    .regex(/^tk_[a-z\d]{29}$/i, TOKEN)
    .optional()
    .meta({
      description: 'Access token for that server, used for the operator’s topic alone. Opens ntfy. A secret.',
    }),
  NTFY_CALL: z
    .string()
    .trim()
    .regex(/^(yes|\+\d{6,16})$/, CALL)
    .optional()
    .meta({
      description:
        'Number that ntfy calls for the operator’s critical alerts, or `yes` for the account’s first number. Needs `NTFY_TOKEN`.',
    }),
})

export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return ['NTFY_URL', 'NTFY_TOKEN'].some((name) => (env[name] ?? '').trim() !== '')
}

export const notifyOnly = true
