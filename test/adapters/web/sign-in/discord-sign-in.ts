import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'

/** Discord's OAuth 2 server over loopback: it checks what the real one checks, PKCE above all. */
export interface DiscordSignIn {
  api: string
  /** Somebody agrees there. Returns the address that the browser is sent back to. */
  agrees(authorize: string, user: string): string
  /** The users that are bots. */
  bots: Set<string>
  /** The paths that were asked, and how that ended. */
  asked: { path: string; status: number }[]
  close(): Promise<void>
}

export async function discordSignIn(app: { id: string; secret: string }): Promise<DiscordSignIn> {
  const codes = new Map<string, { user: string; challenge: string; redirect: string }>()
  const tokens = new Map<string, string>()
  const asked: DiscordSignIn['asked'] = []
  const bots = new Set<string>()
  let made = 0

  const token = (form: URLSearchParams): object | null => {
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const isRight =
      grant !== undefined &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('client_id') === app.id &&
      form.get('client_secret') === app.secret &&
      form.get('redirect_uri') === grant.redirect &&
      verifier.length >= 43 &&
      createHash('sha256').update(verifier).digest('base64url') === grant.challenge
    if (!isRight) return null
    const value = `token-${++made}`
    tokens.set(value, grant.user)
    return { access_token: value, token_type: 'Bearer', expires_in: 604_800, scope: 'identify' }
  }
  const me = (authorization: string): object | null => {
    const user = tokens.get(authorization.replace(/^Bearer /, ''))
    if (user === undefined) return null
    return { id: user, username: 'ann', global_name: 'Ann', ...(bots.has(user) && { bot: true }) }
  }
  const answerTo = async (request: IncomingMessage): Promise<object | null> => {
    const { method, url, headers } = request
    if (method === 'POST' && url === '/api/oauth2/token') {
      const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
      return isForm ? token(new URLSearchParams(await bodyOf(request))) : null
    }
    return method === 'GET' && url === '/api/users/@me' ? me(headers.authorization ?? '') : null
  }
  const server = createServer((request, response) => {
    void answerTo(request).then((answer) => {
      const status = answer === null ? 400 : 200
      asked.push({ path: request.url ?? '', status })
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    api: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/api`,
    bots,
    asked,
    agrees(authorize, user) {
      const { searchParams: query, pathname } = new URL(authorize)
      const isRight =
        pathname === '/oauth2/authorize' &&
        query.get('response_type') === 'code' &&
        query.get('scope') === 'identify' &&
        query.get('client_id') === app.id &&
        query.get('code_challenge_method') === 'S256'
      if (!isRight) throw new Error(`Discord refuses ${authorize}`)
      const code = `code-${++made}`
      const redirect = query.get('redirect_uri') ?? ''
      codes.set(code, { user, challenge: query.get('code_challenge') ?? '', redirect })
      return `${redirect}?${new URLSearchParams({ code, state: query.get('state') ?? '' }).toString()}`
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
