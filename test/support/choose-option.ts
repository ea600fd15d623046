import type { Locator, Page } from 'playwright-core'

/** Chooses an option of a select, whose list may stand anywhere in the page. */
export async function chooseOption(
  within: Page | Locator,
  select: string,
  option: string,
): Promise<void> {
  const page = 'page' in within ? within.page() : within
  await within.getByRole('combobox', { name: select, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
