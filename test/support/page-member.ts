import type { Page } from 'playwright-core'

/** Makes an account, which signs the page's context in. @returns its id */
export async function register(page: Page, username: string): Promise<number> {
  const answer = await page.request.post('/api/register', {
    data: {
      username,
      email: `${username}@example.org`,
      displayName: `The ${username}`,
      password: 'correct horse',
    },
  })
  const { id } = (await answer.json()) as { id: number }
  return id
}
