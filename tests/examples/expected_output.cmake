# The programs of examples/cpp and what each must print.
set(WHEREOF_EXAMPLES attention evidence backward)
set(expected_output_of_attention "first 0\\.500, last 0\\.500")
set(expected_output_of_evidence "clause 1: 0\\.107.*clause 2: 0\\.787.*clause 3: 0\\.107")
set(expected_output_of_backward "step 0: answer 1\\.98.*100: answer 2\\.96.*200: answer 2\\.97")
