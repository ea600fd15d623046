import type { Page } from 'playwright-core'

const PASSWORD = 'correct horse'

/**
 * Makes an account, which signs the page's context in; a test that is tried again signs in to it.
 * @param setupCode of the server, for its admin
 * @returns its id
 */
export async function register(page: Page, username: string, setupCode?: string): Promise<number> {
  let answer = await page.request.post('/api/register', {
    data: {
      username,
      email: `${username}@example.org`,
      displayName: `The ${username}`,
      password: PASSWORD,
      setupCode,
    },
  })
  if (answer.status() === 409) {
    answer = await page.request.post('/api/login', { data: { username, password: PASSWORD } })
  }
  if (!answer.ok()) throw new Error(`${username}: ${await answer.text()}`)
  const { id } = (await answer.json()) as { id: number }
  return id
}
