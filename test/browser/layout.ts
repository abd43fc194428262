import type { Page } from 'playwright-core';

/** What a reader cannot read whole: an element, in words, and why. */
export interface Misfit {
  readonly element: string;
  readonly why: string;
}

/** A4 less the margins that the page asks for, in CSS pixels. */
export const SHEET = { width: Math.floor(((210 - 2 * 14) / 25.4) * 96), height: 1000 } as const;

/** Lays the page out as it is printed. */
export async function toPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
}

/**
 * Elements that stand out at the sides of the page, and texts that their chart cuts off.
 *
 * @param on paper nothing can be scrolled, so what a box scrolls is cut off too
 */
export function misfitsIn(page: Page, on: 'screen' | 'paper'): Promise<Misfit[]> {
  return page.evaluate((isPaper) => {
    const width = document.documentElement.clientWidth;
    const found: { element: string; why: string }[] = [];
    const tell = (element: Element, why: string): void => {
      const id = element.closest('section')?.id ?? '';
      const words = (element.textContent ?? '').trim().slice(0, 60);
      found.push({
        element: `${id} ${element.tagName.toLowerCase()}.${element.getAttribute('class')} “${words}”`,
        why,
      });
    };
    /** A box that the element can be scrolled in, as far as it does not stand out itself. */
    const isScrolled = (element: Element): boolean => {
      for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
        if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(at).overflowX)) return true;
      }
      return false;
    };
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility() || element.closest('.skip') !== null) continue;
      const box = element.getBoundingClientRect();
      // What is only for screen readers is a pixel wide.
      if (box.width <= 1 || box.height === 0) continue;
      const svg = element.tagName === 'text' ? element.closest('svg') : null;
      if (svg !== null) {
        const frame = svg.getBoundingClientRect();
        const isCut = box.left < frame.left - 2 || box.right > frame.right + 2;
        if (isCut || box.top < frame.top - 2 || box.bottom > frame.bottom + 2) tell(element, 'cut off by its chart');
      }
      if (element.closest('svg') !== null && element.tagName !== 'svg') continue;
      if ((box.left < -1 || box.right > width + 1) && (isPaper || !isScrolled(element))) {
        tell(element, `from ${Math.round(box.left)} to ${Math.round(box.right)} of ${width}`);
      }
      const isBox = getComputedStyle(element).overflowX !== 'visible' && element.tagName !== 'INPUT';
      if (isPaper && isBox && element.scrollWidth > element.clientWidth + 1) {
        tell(element, `holds ${element.scrollWidth}, shows ${element.clientWidth}`);
      }
    }
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > width) found.push({ element: 'the page', why: `${scrollWidth} wide, shown in ${width}` });
    return found;
  }, on === 'paper');
}

/** Relative luminance (WCAG 2) of the page's own text and of what is behind it: 0 black, 1 white. */
export async function paperColors(page: Page): Promise<{ readonly ink: number; readonly paper: number }> {
  const colors = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body);
    return [color, backgroundColor];
  });
  const [ink = 0, paper = 0] = await luminances(page, colors);
  return { ink, paper };
}

/** The contrast (WCAG 2) of the faintest text of each chart with the page behind it. */
export async function chartContrasts(page: Page): Promise<{ readonly chart: string; readonly contrast: number }[]> {
  const { paper } = await paperColors(page);
  const charts = await page.evaluate(() =>
    [...document.querySelectorAll('main figure')].map((figure) => ({
      chart: figure.querySelector('figcaption')?.textContent ?? '',
      inks: [...figure.querySelectorAll('text, span')].map((text) =>
        text.tagName === 'text' ? getComputedStyle(text).fill : getComputedStyle(text).color,
      ),
    })),
  );
  const contrasts = charts.map(async ({ chart, inks }) => {
    const each = (await luminances(page, inks)).map(
      (ink) => (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05),
    );
    return { chart, contrast: Math.min(...each) };
  });
  return Promise.all(contrasts);
}

/** The relative luminance of colours, whatever form the browser tells them in. */
function luminances(page: Page, colors: readonly string[]): Promise<number[]> {
  return page.evaluate((all) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (canvas === null) throw new Error('no canvas');
    return all.map((color) => {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data]
        .map((part) => part / 255)
        .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    });
  }, colors);
}
