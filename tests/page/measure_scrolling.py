#!/usr/bin/env python3
"""Scrolls a document of 200 pages from end to end and prints the times of the frames.

    python3 tests/page/measure_scrolling.py [ADDRESS]

Without an address the scripted service is scrolled; with one, the document that the service there
opens first. By hand only: times are the machine's.
"""

import sys

import browser
import scripted_documents
from scripted_service import ScriptedService

# Each way lasts long enough that pictures are fetched, decoded and shown while it goes on.
SCROLL = """
const [seconds, done] = arguments;
const view = document.querySelector('#document-view');
const begin = performance.now();
const times = [];
const end = view.scrollHeight - view.clientHeight;
const step = (now) => {
  times.push(now);
  const share = (now - begin) / (seconds * 1000);
  view.scrollTop = end * (share < 0.5 ? 2 * share : 2 - 2 * share);
  if (share < 1) requestAnimationFrame(step);
  else done(times.slice(1).map((time, i) => time - times[i]));
};
requestAnimationFrame(step);
"""


def main():
    service = None
    address = sys.argv[1] if len(sys.argv) > 1 else None
    if address is None:
        service = ScriptedService([scripted_documents.long_contract()])
        address = service.address
    driver = browser.start_browser()
    driver.set_script_timeout(120)
    try:
        driver.get(address)
        browser.WebDriverWait(driver, 30).until(
            lambda _: driver.find_elements("css selector", ".sheet img"))
        ready = driver.execute_script(
            "return performance.getEntriesByType('resource').filter((entry) =>"
            " entry.name.includes('.png')).map((entry) => entry.responseEnd)[0]")
        sheets = len(driver.find_elements("css selector", ".sheet"))
        print(f"{sheets} pages; first picture {ready:.0f} ms after the page was asked for")
        for seconds in (6, 30):
            frames = sorted(driver.execute_async_script(SCROLL, seconds))
            print(f"{sheets} pages down and up in {seconds} s: {len(frames)} frames, median "
                  f"{frames[len(frames) // 2]:.1f} ms, 99th of 100 "
                  f"{frames[len(frames) * 99 // 100]:.1f} ms, longest {frames[-1]:.1f} ms")
    finally:
        driver.quit()
        if service:
            service.shutdown()


if __name__ == "__main__":
    main()
